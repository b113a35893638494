import type { Locale } from '@/i18n/routing';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { numbersOf, type SaleNumbers } from '@/lib/contract/words/sale';

/** The part of a sale that a card shows. It is the same for every visitor, so it belongs to the static page. */
export type SaleListEntry = Pick<
  SaleInfo,
  | 'saleId'
  | 'slug'
  | 'title'
  | 'imageUrl'
  | 'priceMinor'
  | 'listPriceMinor'
  | 'currency'
  | 'startsAt'
  | 'endsAt'
  | 'campaign'
  | 'admission'
>;

/**
 * Keeps only what a card shows, so that nothing else goes into the page.
 * @param sale without `titles` if the last release answered
 */
export function toListEntry(
  sale: SaleListEntry & Partial<Pick<SaleInfo, 'titles'>>,
  locale: Locale,
): SaleListEntry {
  const { saleId, slug, imageUrl, priceMinor, listPriceMinor, currency } = sale;
  const { startsAt, endsAt, campaign, admission } = sale;
  return {
    saleId,
    slug,
    title: sale.titles?.[locale] ?? sale.title,
    imageUrl,
    priceMinor,
    listPriceMinor,
    currency,
    startsAt,
    endsAt,
    campaign,
    admission,
  };
}

/** The terms of a sale. */
export type SaleTerms = Pick<
  SaleInfo,
  | 'limitPerUser'
  | 'paymentWindowSec'
  | 'minLevel'
  | 'minAccountAgeSec'
  | 'requireVerifiedEmail'
  | 'reservation'
  | 'admission'
  | 'challenge'
  | 'campaign'
  | 'variants'
>;

/** The part of a sale that the live panel of its page knows before the first request. */
export type PanelSale = Pick<
  SaleInfo,
  | 'saleId'
  | 'slug'
  | 'startsAt'
  | 'endsAt'
  | 'totalStock'
  | 'reservation'
  | 'campaign'
  | 'waitlist'
  | 'admission'
  | 'priceMinor'
  | 'currency'
> &
  SaleNumbers & {
    /** The choices of shoppers; empty: none. */
    variants: Pick<SaleInfo['variants'][number], 'name' | 'picture'>[];
    /** The sale asks shoppers for a challenge. */
    mayChallenge: boolean;
    /** Another name of the shop that takes purchases; null: the page's own. */
    purchaseOrigin: string | null;
  };

/** Keeps only the fields the live part needs: each page carries them twice. */
export function toPanelSale(sale: SaleInfo, purchaseOrigin: string | null): PanelSale {
  const { saleId, slug, startsAt, endsAt, totalStock, reservation, campaign, waitlist, admission } = sale;
  const { priceMinor, currency } = sale;
  const mayChallenge = sale.challenge !== 'none';
  return {
    saleId,
    slug,
    startsAt,
    endsAt,
    totalStock,
    reservation,
    campaign,
    waitlist,
    admission,
    priceMinor,
    currency,
    variants: sale.variants.map(({ name, picture }) => ({ name, picture })),
    mayChallenge,
    purchaseOrigin,
    ...numbersOf(sale),
  };
}

/**
 * Returns the most units that one purchase of a sale may ask for.
 * @param left units left of the chosen variant; null: not known, or none is chosen
 * @param total all units of the sale by now; left out: as many as the page was made with
 */
export function mostUnits(
  { limitPerUser, totalStock, campaign }: PanelSale,
  left: number | null,
  total = totalStock,
): number {
  const stock = total === -1 ? limitPerUser : total;
  return Math.min(limitPerUser, stock, campaign?.limitPerUser ?? limitPerUser, left || stock);
}

/** The fields that describe a product. */
export type ProductStory = Pick<SaleInfo, 'description' | 'attributes'>;
