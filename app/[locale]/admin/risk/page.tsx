import { RiskPage } from '@/components/admin/risk/risk-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminRisk.title'));

export default staticPage(() => (
  <Page>
    <RiskPage />
  </Page>
));
