import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SetupPage } from '@/components/admin/setup/setup-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminSetupProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminSetupProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminSetup' });
  return { title: t('title') };
}

export default async function AdminSetup({ params }: AdminSetupProps) {
  await staticLocale(params);
  return (
    <Page>
      <SetupPage />
    </Page>
  );
}
