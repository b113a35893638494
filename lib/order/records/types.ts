/** Why an order ended unpaid. */
export type EndReason =
  | 'expired'
  | 'cancelled_by_shopper'
  | 'cancelled_by_merchant'
  /** The provider took another amount or currency than the order's. */
  | 'payment_mismatch'
  | 'sale_full'
  | 'duplicate_order'
  | 'not_writable';

/** The facts that suffice to release an order's units or to confirm them. */
export type StockOrder = { orderNo: string; saleId: string; userId: string };
