import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ShopPage } from '@/components/admin/shop/shop-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminShopProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminShopProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminShop') };
}

export default async function AdminShop({ params }: AdminShopProps) {
  await staticLocale(params);
  return (
    <Page>
      <ShopPage />
    </Page>
  );
}
