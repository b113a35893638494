import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { addressOf } from '@/components/api/request';
import { CampaignLine } from '@/components/campaign/campaign-line';
import { EarlyRequests } from '@/components/layout/early-requests';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { toldPage } from '@/components/layout/told-page';
import { AdmissionPanel } from '@/components/sale/admission-panel';
import { Gallery } from '@/components/sale/gallery';
import { LevelLine } from '@/components/sale/level-line';
import { Price } from '@/components/sale/price';
import { ProductData } from '@/components/sale/product-data';
import { ProductFacts } from '@/components/sale/product-facts';
import { SaleLinks } from '@/components/sale/sale-links';
import { SaleRules } from '@/components/sale/sale-rules';
import { toPanelSale } from '@/components/sale/shown-sale';
import { Card } from '@/components/ui/card';
import { staticLocale } from '@/i18n/static-page';
import { env } from '@/lib/env';
import { findSalePage, type SalePage as ShownSale } from '@/lib/sale/find-sale-page';

/**
 * The same page for every visitor, made on the first visit and kept until the sale is edited. A view costs neither
 * Postgres nor Redis anything (A1); the browser fetches what is live or personal.
 */
export const dynamic = 'force-static';
export const dynamicParams = true;
export const revalidate = 3600;

interface SalePageProps {
  params: Promise<{ locale: string; slug: string }>;
}

/** Prerenders nothing at build time: there is no database then. */
export const generateStaticParams = () => [];

const loadSale = cache(findSalePage);

export async function generateMetadata({ params }: SalePageProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const { slug } = await params;
  const sale = await loadSale(slug);
  if (!sale) return {};
  const { title, description, imageUrl } = sale;
  return toldPage({ path: `/sales/${slug}`, locale, title, description, picture: imageUrl });
}

export default async function SalePage({ params }: SalePageProps) {
  await staticLocale(params);
  const { slug } = await params;
  const sale = await loadSale(slug);
  if (!sale) notFound();
  return <SaleArticle sale={sale} />;
}

function SaleArticle({ sale }: { sale: ShownSale }) {
  const panel = toPanelSale(sale, env().purchaseOrigin ?? null);
  return (
    <Page>
      <PageMessages
        of={[
          'Announce',
          'Buy',
          'Challenge',
          'Draw',
          'Errors',
          'Line',
          'Next',
          'Notice',
          'Proof',
          'Quantity',
          'Sale',
          'Why',
        ]}
      >
        <EarlyRequests
          paths={[addressOf('GET /api/sales/{saleId}/state', { params: { saleId: sale.saleId } })]}
        />
        <ProductData sale={sale} shop={env().publicUrl} />
        <article className="grid gap-5 sm:gap-8 lg:grid-cols-[1.1fr_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-12">
          <div className="min-w-0">
            <Gallery imageUrl={sale.imageUrl} pictures={sale.pictures} />
          </div>
          <div className="grid content-start gap-5 sm:gap-8 lg:sticky lg:top-8 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
            <div className="grid gap-2 sm:gap-3">
              {sale.campaign ? <CampaignLine campaign={sale.campaign} /> : null}
              <h1 className="font-bold text-3xl leading-tight tracking-tight sm:text-4xl">{sale.title}</h1>
              <Price
                priceMinor={sale.priceMinor}
                listPriceMinor={sale.listPriceMinor}
                currency={sale.currency}
                size="page"
              />
            </div>
            <Card className="p-4 sm:p-6">
              <AdmissionPanel sale={panel} />
            </Card>
            {sale.minLevel > 0 ? <LevelLine minLevel={sale.minLevel} /> : null}
          </div>
          <div className="grid content-start gap-5 sm:gap-8 lg:col-start-1">
            <SaleLinks sale={sale} shop={env().publicUrl} />
            <SaleRules sale={sale} />
            <ProductFacts sale={sale} />
          </div>
        </article>
      </PageMessages>
    </Page>
  );
}
