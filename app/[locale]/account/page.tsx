import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AccountPage } from '@/components/account/account-page';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AccountProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AccountProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('account') };
}

export default async function Account({ params }: AccountProps) {
  await staticLocale(params);
  return (
    <Page width="text">
      <PageMessages of={['Account', 'Level']}>
        <AccountPage />
      </PageMessages>
    </Page>
  );
}
