import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AlertsPage } from '@/components/admin/alerts/alerts-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminAlertsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminAlertsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminAlerts') };
}

export default async function AdminAlerts({ params }: AdminAlertsProps) {
  await staticLocale(params);
  return (
    <Page>
      <AlertsPage />
    </Page>
  );
}
