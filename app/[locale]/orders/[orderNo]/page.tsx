import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { OrderPage } from '@/components/order/order-page';
import { everyShell, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = everyShell('orderNo');
export const generateMetadata = titled((t) => t('Meta.order'));

export default staticPage(() => (
  <Page width="text">
    <PageMessages of={['Address', 'Delivery', 'Errors', 'Order', 'Proof']}>
      <OrderPage />
    </PageMessages>
  </Page>
));
