import { getTranslations } from 'next-intl/server';
import { PasskeyButton } from '@/components/auth/passkey-button';
import { SecondStep } from '@/components/auth/second-step';
import { SentNotices } from '@/components/auth/sent-notices';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('Meta.secondStep'));

export default staticPage(async () => {
  const t = await getTranslations('Auth');
  return (
    <Page width="form">
      <PageMessages of={['Auth', 'Errors']}>
        <div className="grid gap-6">
          <h1 className="font-bold text-3xl tracking-tight">{t('stepHeading')}</h1>
          <SentNotices />
          <SecondStep />
          <PasskeyButton />
        </div>
      </PageMessages>
    </Page>
  );
});
