import { getTranslations } from 'next-intl/server';
import { ForgotPassword } from '@/components/auth/forgot-password';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.forgotPassword'));

export default staticPage(async () => {
  const t = await getTranslations('Password');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors', 'Password']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('forgotHeading')}</h1>
          <ForgotPassword />
        </div>
      </PageMessages>
    </Page>
  );
});
