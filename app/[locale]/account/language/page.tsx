import { LanguageRoom } from '@/components/account/language-room';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Account.rooms.language.name'));

export default staticPage(() => (
  <Page width="text">
    <PageMessages of={['Account', 'Errors', 'MailTopics']}>
      <LanguageRoom />
    </PageMessages>
  </Page>
));
