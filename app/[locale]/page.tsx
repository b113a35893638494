import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { SaleList } from '@/components/sale/sale-list';
import { SALES_SHOWN } from '@/components/sale/sales-shown';
import { toListEntry } from '@/components/sale/shown-sale';
import { sortSales } from '@/components/sale/sort-sales';
import { staticLocale } from '@/i18n/static-page';
import type { LiveSale } from '@/lib/contract/shapes/sale';
import { answerSales } from '@/lib/sale/answer-sales';
import { listSales } from '@/lib/sale/records/list-sales';

/**
 * Made on the first visit, again when a sale is published or edited, and every half minute: its cards stand in the
 * order of that moment. The browser fetches the state of each sale and moves none of them.
 */
export const dynamic = 'force-static';
export const dynamicParams = true;
export const revalidate = 30;

/** Prerenders nothing at build time: there is no database then. */
export const generateStaticParams = () => [];

interface HomeProps {
  params: Promise<{ locale: string }>;
}

/** Returns the sales as shoppers see them right now; none if nobody knows. */
async function findLive(): Promise<Map<string, LiveSale>> {
  const { status, body } = await answerSales(`limit=${SALES_SHOWN}`);
  const { sales } = status === 200 ? (JSON.parse(body) as { sales: LiveSale[] }) : { sales: [] };
  return new Map(sales.map((sale) => [sale.saleId, sale]));
}

export async function generateMetadata({ params }: HomeProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'Meta' });
  return { title: { absolute: `${t('sales')} · ${t('name')}` } };
}

export default async function Home({ params }: HomeProps) {
  const locale = await staticLocale(params);
  const t = await getTranslations('Sales');
  const [{ sales }, live] = await Promise.all([listSales({ limit: SALES_SHOWN }), findLive()]);
  return (
    <Page>
      <PageMessages of={['Sale', 'Sales']}>
        <div className="mb-8 grid gap-2">
          <h1 className="font-bold text-3xl tracking-tight sm:text-4xl">{t('heading')}</h1>
          <p className="text-lg text-muted">{t('intro')}</p>
        </div>
        <SaleList sales={sortSales(sales, live).map((sale) => toListEntry(sale, locale))} />
      </PageMessages>
    </Page>
  );
}
