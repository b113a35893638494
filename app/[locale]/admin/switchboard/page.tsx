import { SwitchboardPage } from '@/components/admin/switchboard/switchboard-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('AdminSwitchboard.title'));

export default staticPage(() => (
  <Page>
    <SwitchboardPage />
  </Page>
));
