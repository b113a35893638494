import { ShopPage } from '@/components/admin/shop/shop-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminShop'));

export default staticPage(() => (
  <Page>
    <ShopPage />
  </Page>
));
