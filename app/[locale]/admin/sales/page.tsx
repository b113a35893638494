import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SalesPage } from '@/components/admin/sales/sales-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminSalesProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminSalesProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminSales') };
}

export default async function AdminSales({ params }: AdminSalesProps) {
  await staticLocale(params);
  return (
    <Page>
      <SalesPage />
    </Page>
  );
}
