import { MailsPage } from '@/components/admin/mails/mails-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminMails.title'));

export default staticPage(() => (
  <Page>
    <MailsPage />
  </Page>
));
