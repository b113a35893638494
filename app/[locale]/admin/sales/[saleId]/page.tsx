import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SaleAdminPage } from '@/components/admin/live/sale-admin';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

/** Prerenders one shell for every sale (see next.config.ts); the browser fetches the numbers. */
export const generateStaticParams = () => everyLocale().map((params) => ({ ...params, saleId: 'shell' }));

interface AdminSaleProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminSaleProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminSale') };
}

export default async function AdminSale({ params }: AdminSaleProps) {
  await staticLocale(params);
  return (
    <Page width="admin">
      <SaleAdminPage />
    </Page>
  );
}
