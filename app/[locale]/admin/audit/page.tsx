import { AuditPage } from '@/components/admin/audit/audit-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminAudit'));

export default staticPage(() => (
  <Page>
    <AuditPage />
  </Page>
));
