import { ReconcilePage } from '@/components/admin/reconcile/reconcile-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminReconcile.title'));

export default staticPage(() => (
  <Page>
    <ReconcilePage />
  </Page>
));
