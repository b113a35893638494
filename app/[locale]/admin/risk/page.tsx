import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { RiskPage } from '@/components/admin/risk/risk-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminRiskProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminRiskProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'AdminRisk' });
  return { title: t('title') };
}

export default async function AdminRisk({ params }: AdminRiskProps) {
  await staticLocale(params);
  return (
    <Page>
      <RiskPage />
    </Page>
  );
}
