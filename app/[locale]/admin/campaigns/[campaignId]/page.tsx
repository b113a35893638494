import { CampaignPage } from '@/components/admin/campaigns/campaign-page';
import { Page } from '@/components/layout/page';
import { everyShell, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = everyShell('campaignId');
export const generateMetadata = titled((t) => t('Meta.adminCampaign'));

export default staticPage(() => (
  <Page>
    <CampaignPage />
  </Page>
));
