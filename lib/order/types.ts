/** Where an order stands. `queued` lives in Redis only; the rest is the column `orders.status`. */
export type OrderStatus = 'queued' | 'pending_payment' | 'paid' | 'cancelled' | 'refunded' | 'failed';

/** Why an order ended unpaid. */
export type EndReason =
  | 'expired'
  | 'cancelled_by_shopper'
  | 'cancelled_by_merchant'
  /** Its provider took other money than was asked for. */
  | 'payment_mismatch'
  | 'sale_full'
  | 'duplicate_order'
  | 'not_writable';

/** What is needed to give an order's units back or to confirm them. */
export type StockOrder = { orderNo: string; saleId: string; userId: string };

/** An order as the HTTP interface shows it. Times in ms, money in minor units. */
export type OrderView = {
  orderNo: string;
  saleId: string;
  saleTitle: string;
  saleSlug: string;
  imageUrl: string | null;
  quantity: number;
  unitPriceMinor: number;
  amountMinor: number;
  currency: string;
  status: OrderStatus;
  /** Null while queued: the time to pay starts when the order is written. */
  payBy: number | null;
  createdAt: number | null;
  paidAt: number | null;
  cancelledAt: number | null;
  endReason: string | null;
  provider: string | null;
  serverTime: number;
  version: number;
};
