import { SalesPage } from '@/components/admin/sales/sales-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminSales'));

export default staticPage(() => (
  <Page>
    <SalesPage />
  </Page>
));
