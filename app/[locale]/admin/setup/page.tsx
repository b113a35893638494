import { SetupPage } from '@/components/admin/setup/setup-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminSetup.title'));

export default staticPage(() => (
  <Page>
    <SetupPage />
  </Page>
));
