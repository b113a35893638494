import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { numbersOf, type SaleNumbers } from '@/lib/contract/words/sale';

/** What a card shows of a sale; the same for every visitor, so it is part of the static page. */
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
  | 'admission'
>;

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
>;

/** What the live part of a sale page knows before its first request. */
export type PanelSale = Pick<
  SaleInfo,
  'saleId' | 'slug' | 'startsAt' | 'endsAt' | 'totalStock' | 'reservation' | 'admission' | 'waitlist'
> &
  SaleNumbers & {
    /** The sale asks shoppers for a challenge. */
    mayChallenge: boolean;
    /** Another name of the shop that takes purchases; null: the page's own. */
    purchaseOrigin: string | null;
  };

/** Keeps only the fields the live part needs: each page carries them twice. */
export function toPanelSale(sale: SaleInfo, purchaseOrigin: string | null): PanelSale {
  const { saleId, slug, startsAt, endsAt, totalStock, reservation, admission, waitlist } = sale;
  const mayChallenge = sale.challenge !== 'none';
  return {
    saleId,
    slug,
    startsAt,
    endsAt,
    totalStock,
    reservation,
    admission,
    waitlist,
    mayChallenge,
    purchaseOrigin,
    ...numbersOf(sale),
  };
}

/** The fields that describe a product. */
export type ProductStory = Pick<SaleInfo, 'description' | 'attributes'>;
