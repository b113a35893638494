import { getTranslations } from 'next-intl/server';
import { VerifyEmail } from '@/components/auth/verify-email';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.verifyEmail'));

export default staticPage(async () => {
  const t = await getTranslations('VerifyEmail');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'VerifyEmail']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <VerifyEmail />
        </div>
      </PageMessages>
    </Page>
  );
});
