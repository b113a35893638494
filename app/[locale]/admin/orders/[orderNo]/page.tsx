import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OrderDetailPage } from '@/components/admin/orders/order-detail-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

/** Prerenders one shell for every order (see next.config.ts); the browser reads the order number from its own address. */
export const generateStaticParams = () => everyLocale().map((params) => ({ ...params, orderNo: 'shell' }));

interface AdminOrderProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminOrderProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminOrder') };
}

export default async function AdminOrder({ params }: AdminOrderProps) {
  await staticLocale(params);
  return (
    <Page>
      <OrderDetailPage />
    </Page>
  );
}
