import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { SaleList } from '@/components/sale/sale-list';
import { SALES_SHOWN } from '@/components/sale/sales-shown';
import type { SaleListEntry } from '@/components/sale/shown-sale';
import { staticLocale } from '@/i18n/static-page';
import { listSales } from '@/lib/sale/list-sales';

/** Made on the first visit and kept until a sale is published or edited; the browser fetches the state of each sale. */
export const dynamic = 'force-static';
export const dynamicParams = true;
export const revalidate = 3600;

/** Prerenders nothing at build time: there is no database then. */
export const generateStaticParams = () => [];

interface HomeProps {
  params: Promise<{ locale: string }>;
}

/** Keeps only what a card shows, so that nothing else goes into the page. */
function toEntry(sale: SaleListEntry): SaleListEntry {
  const { saleId, slug, title, imageUrl, priceMinor, listPriceMinor, currency, startsAt, endsAt } = sale;
  return { saleId, slug, title, imageUrl, priceMinor, listPriceMinor, currency, startsAt, endsAt };
}

export async function generateMetadata({ params }: HomeProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: { absolute: `${t('sales')} · ${t('name')}` } };
}

export default async function Home({ params }: HomeProps) {
  await staticLocale(params);
  const t = await getTranslations('Sales');
  const { sales } = await listSales({ limit: SALES_SHOWN });
  return (
    <Page>
      <div className="mb-8 grid gap-2">
        <h1 className="font-bold text-3xl tracking-tight sm:text-4xl">{t('heading')}</h1>
        <p className="text-lg text-muted">{t('intro')}</p>
      </div>
      <SaleList sales={sales.map(toEntry)} />
    </Page>
  );
}
