import type { SaleInfo } from '@/lib/contract/shapes/sale';

/**
 * A sale in the list of sales, whichever code answers: the fields that shoppers see, and those that tell its state at
 * any moment. Times in epoch ms.
 */
export type ListedSale = Pick<
  SaleInfo,
  | 'saleId'
  | 'slug'
  | 'title'
  | 'titles'
  | 'imageUrl'
  | 'priceMinor'
  | 'listPriceMinor'
  | 'currency'
  | 'reservation'
  | 'campaign'
  | 'admission'
  | 'startsAt'
  | 'endsAt'
  | 'paused'
> & { closed: boolean; total: number; available: number };
