import { WhyPage } from '@/components/admin/why/why-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminWhy'));

export default staticPage(() => (
  <Page>
    <WhyPage />
  </Page>
));
