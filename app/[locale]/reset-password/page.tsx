import { getTranslations } from 'next-intl/server';
import { ResetPassword } from '@/components/auth/reset-password';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.resetPassword'));

export default staticPage(async () => {
  const t = await getTranslations('Password');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors', 'Password']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('resetHeading')}</h1>
          <ResetPassword />
        </div>
      </PageMessages>
    </Page>
  );
});
