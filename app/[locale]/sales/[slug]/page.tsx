import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { addressOf } from '@/components/api/request';
import { CampaignLine } from '@/components/campaign/campaign-line';
import { EarlyRequests } from '@/components/layout/early-requests';
import { Page } from '@/components/layout/page';
import { PageMessages } from '@/components/layout/page-messages';
import { AdmissionPanel } from '@/components/sale/admission-panel';
import { Gallery } from '@/components/sale/gallery';
import { LevelLine } from '@/components/sale/level-line';
import { Price } from '@/components/sale/price';
import { PriceTerms } from '@/components/sale/price-terms';
import { ProductFacts } from '@/components/sale/product-facts';
import { SaleRules } from '@/components/sale/sale-rules';
import { toPanelSale } from '@/components/sale/shown-sale';
import { Card } from '@/components/ui/card';
import { staticLocale } from '@/i18n/static-page';
import { orders, shop } from '@/lib/contract/operations';
import { ADMISSIONS } from '@/lib/contract/words/sale';
import { env } from '@/lib/env';
import { cutText, isolated } from '@/lib/human-text';
import { findSalePage } from '@/lib/sale/records/find-sale-page';

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
  const { slug } = await params;
  const sale = await loadSale(slug, await staticLocale(params));
  if (!sale) return {};
  return { title: isolated(sale.title), description: cutText(sale.description, 200) };
}

export default async function SalePage({ params }: SalePageProps) {
  const locale = await staticLocale(params);
  const { slug } = await params;
  const sale = await loadSale(slug, locale);
  if (!sale) notFound();
  return <SaleArticle sale={sale} />;
}

function SaleArticle({ sale }: { sale: NonNullable<Awaited<ReturnType<typeof loadSale>>> }) {
  const panel = toPanelSale(sale, env().purchaseOrigin ?? null);
  // A crowd loads this page, so it carries only what its sale needs.
  const { hasTurns, isDrawn } = ADMISSIONS[sale.admission];
  return (
    <Page>
      <PageMessages
        of={[
          'Announce',
          'Buy',
          'Challenge',
          'Errors',
          'Level',
          'Next',
          'Notice',
          'Proof',
          'Quantity',
          'Sale',
          'Variant',
          'Why',
        ]}
        also={isDrawn ? ['Draw'] : hasTurns ? ['Line'] : []}
        errorsOf={[shop, orders]}
      >
        <EarlyRequests
          paths={[addressOf('GET /api/sales/{saleId}/state', { params: { saleId: sale.saleId } })]}
        />
        <article className="grid gap-5 sm:gap-8 lg:grid-cols-[1.1fr_1fr] lg:gap-12">
          <div className="lg:sticky lg:top-8 lg:self-start">
            <Gallery imageUrl={sale.imageUrl} pictures={sale.pictures} />
          </div>
          <div className="grid content-start gap-5 sm:gap-8">
            <div className="grid gap-2 sm:gap-3">
              {sale.campaign ? <CampaignLine campaign={sale.campaign} /> : null}
              <h1 className="font-bold text-3xl leading-tight tracking-tight sm:text-4xl">
                <bdi>{sale.title}</bdi>
              </h1>
              <Price
                priceMinor={sale.priceMinor}
                listPriceMinor={sale.listPriceMinor}
                currency={sale.currency}
                size="page"
              />
              <PriceTerms taxRate={sale.taxRate} costsShipping={sale.costsShipping} />
            </div>
            <Card className="p-4 sm:p-6">
              <AdmissionPanel sale={panel} />
            </Card>
            {sale.minLevel > 0 ? <LevelLine minLevel={sale.minLevel} /> : null}
            <SaleRules sale={sale} />
            <ProductFacts sale={sale} />
          </div>
        </article>
      </PageMessages>
    </Page>
  );
}
