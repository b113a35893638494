import { UsersPage } from '@/components/admin/users/users-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminUsers'));

export default staticPage(() => (
  <Page>
    <UsersPage />
  </Page>
));
