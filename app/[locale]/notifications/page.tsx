import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { NotificationList } from '@/components/notify/notification-list';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.notifications'));

export default staticPage(() => (
  <Page width="text">
    <PageMessages of={['Errors', 'Notifications']}>
      <NotificationList />
    </PageMessages>
  </Page>
));
