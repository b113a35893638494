import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { OrderList } from '@/components/order/order-list';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.orders'));

export default staticPage(() => (
  <Page width="text">
    <PageMessages of={['Errors', 'Orders', 'Points']}>
      <OrderList />
    </PageMessages>
  </Page>
));
