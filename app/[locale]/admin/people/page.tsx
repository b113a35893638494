import { PeoplePage } from '@/components/admin/people/people-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.adminPeople'));

export default staticPage(() => (
  <Page>
    <PeoplePage />
  </Page>
));
