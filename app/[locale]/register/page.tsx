import { getTranslations } from 'next-intl/server';
import { AuthForm } from '@/components/auth/auth-form';
import { AuthSwitch } from '@/components/auth/auth-switch';
import { SentNotices } from '@/components/auth/sent-notices';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.register'));

export default staticPage(async () => {
  const t = await getTranslations('Auth');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('registerHeading')}</h1>
          <SentNotices />
          <AuthForm mode="register" />
          <AuthSwitch to="signin" />
        </div>
      </PageMessages>
    </Page>
  );
});
