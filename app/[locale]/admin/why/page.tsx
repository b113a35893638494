import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WhyPage } from '@/components/admin/why/why-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminWhyProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminWhyProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminWhy') };
}

export default async function AdminWhy({ params }: AdminWhyProps) {
  await staticLocale(params);
  return (
    <Page>
      <WhyPage />
    </Page>
  );
}
