import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ProductsPage } from '@/components/admin/products/products-page';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';

export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

interface AdminProductsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: AdminProductsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: t('adminProducts') };
}

export default async function AdminProducts({ params }: AdminProductsProps) {
  await staticLocale(params);
  return (
    <Page>
      <ProductsPage />
    </Page>
  );
}
