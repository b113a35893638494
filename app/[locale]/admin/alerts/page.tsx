import { AlertsPage } from '@/components/admin/alerts/alerts-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminAlerts'));

export default staticPage(() => (
  <Page>
    <AlertsPage />
  </Page>
));
