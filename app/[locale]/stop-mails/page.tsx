import { getTranslations } from 'next-intl/server';
import { StopMails } from '@/components/auth/stop-mails';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('StopMails.heading'));

export default staticPage(async () => {
  const t = await getTranslations('StopMails');
  return (
    <Page width="form">
      <PageMessages of={['Errors', 'MailTopics', 'StopMails']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <StopMails />
        </div>
      </PageMessages>
    </Page>
  );
});
