import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OrdersPage } from '@/components/admin/orders/orders-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminOrdersProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminOrdersProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminOrders') };
}

export default async function AdminOrders({ params }: AdminOrdersProps) {
  await staticLocale(params);
  return (
    <Page>
      <OrdersPage />
    </Page>
  );
}
