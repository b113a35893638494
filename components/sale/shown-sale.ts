import type { SaleInfo } from '@/lib/contract/shapes/sale';

/** What a card shows of a sale; the same for everybody, so it is part of the static page. */
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
  | 'challenge'
>;

/** What is told of a product. */
export type ProductStory = Pick<SaleInfo, 'description' | 'attributes'>;
