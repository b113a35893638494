import { getTranslations } from 'next-intl/server';
import { EmailChange } from '@/components/auth/email-change';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.stopEmail'));

export default staticPage(async () => {
  const t = await getTranslations('EmailChange');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'EmailChange', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('stop.heading')}</h1>
          <EmailChange link="stop" />
        </div>
      </PageMessages>
    </Page>
  );
});
