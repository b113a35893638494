import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { SandboxPage } from '@/components/pay/sandbox-page';
import { everyShell, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = everyShell('paymentId');
export const generateMetadata = titled((t) => t('Meta.pay'));

export default staticPage(async () => {
  const t = await getTranslations('Pay');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'Pay']}>
        <Suspense fallback={<p className="text-muted">{t('loading')}</p>}>
          <SandboxPage />
        </Suspense>
      </PageMessages>
    </Page>
  );
});
