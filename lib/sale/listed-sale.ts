import type { SaleInfo } from '@/lib/contract/shapes/sale';

/**
 * A sale as the list of sales knows it, wherever that is answered: what shoppers are shown, and what says how it stands at
 * any moment. Times in epoch ms.
 */
export type ListedSale = Pick<
  SaleInfo,
  | 'saleId'
  | 'slug'
  | 'title'
  | 'imageUrl'
  | 'priceMinor'
  | 'listPriceMinor'
  | 'currency'
  | 'reservation'
  | 'startsAt'
  | 'endsAt'
  | 'paused'
> & { closed: boolean; total: number; available: number };
