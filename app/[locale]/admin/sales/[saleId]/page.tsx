import { SaleAdminPage } from '@/components/admin/live/sale-admin-page';
import { Page } from '@/components/layout/page';
import { everyShell, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = everyShell('saleId');
export const generateMetadata = titled((t) => t('Meta.adminSale'));

export default staticPage(() => (
  <Page width="admin">
    <SaleAdminPage />
  </Page>
));
