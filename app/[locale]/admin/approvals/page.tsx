import { ApprovalsPage } from '@/components/admin/approvals/approvals-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminApprovals'));

export default staticPage(() => (
  <Page>
    <ApprovalsPage />
  </Page>
));
