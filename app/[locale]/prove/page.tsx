import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { ProveReceipt } from '@/components/prove/prove-receipt';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.prove'));

export default staticPage(async () => {
  const t = await getTranslations('Prove');
  return (
    <Page width="text">
      <PageMessages of={['Prove']}>
        <div className="grid gap-6">
          <div className="grid gap-2">
            <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
            <p className="text-lg text-muted">{t('text')}</p>
          </div>
          <ProveReceipt />
        </div>
      </PageMessages>
    </Page>
  );
});
