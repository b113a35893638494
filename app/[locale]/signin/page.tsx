import { getTranslations } from 'next-intl/server';
import { AuthForm } from '@/components/auth/auth-form';
import { AuthSwitch } from '@/components/auth/auth-switch';
import { DemoAccounts } from '@/components/auth/demo-accounts';
import { OpenIdButton } from '@/components/auth/openid-button';
import { PasskeyButton } from '@/components/auth/passkey-button';
import { SentNotices } from '@/components/auth/sent-notices';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { Link } from '@/i18n/navigation';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.signin'));

export default staticPage(async () => {
  const t = await getTranslations('Auth');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('signInHeading')}</h1>
          <SentNotices />
          <AuthForm mode="signIn" />
          <PasskeyButton />
          <OpenIdButton />
          <div className="grid gap-2">
            <p>
              <Link
                href="/forgot-password"
                prefetch={false}
                className="font-semibold underline underline-offset-4"
              >
                {t('forgot')}
              </Link>
            </p>
            <AuthSwitch to="register" />
          </div>
          <DemoAccounts />
        </div>
      </PageMessages>
    </Page>
  );
});
