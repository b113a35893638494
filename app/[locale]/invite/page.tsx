import { getTranslations } from 'next-intl/server';
import { InvitePage } from '@/components/invite/invite-page';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.invite'));

export default staticPage(async () => {
  const t = await getTranslations('Invite');
  return (
    <Page width="form">
      <PageMessages of={['Account', 'Auth', 'Errors', 'Invite']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
          <InvitePage />
        </div>
      </PageMessages>
    </Page>
  );
});
