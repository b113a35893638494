import { MoneyPage } from '@/components/admin/money/money-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminMoney.title'));

export default staticPage(() => (
  <Page>
    <MoneyPage />
  </Page>
));
