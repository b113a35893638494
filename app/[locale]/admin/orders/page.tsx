import { OrdersPage } from '@/components/admin/orders/orders-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminOrders'));

export default staticPage(() => (
  <Page>
    <OrdersPage />
  </Page>
));
