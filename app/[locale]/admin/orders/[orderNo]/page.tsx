import { OrderDetailPage } from '@/components/admin/orders/order-detail-page';
import { Page } from '@/components/layout/page';
import { everyShell, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = everyShell('orderNo');
export const generateMetadata = titled((t) => t('Meta.adminOrder'));

export default staticPage(() => (
  <Page>
    <OrderDetailPage />
  </Page>
));
