/** An order is written with one of these: the column `orders.status`. */
export const WRITTEN_STATUSES = ['pending_payment', 'paid', 'cancelled', 'refunded', 'failed'] as const;
export type WrittenStatus = (typeof WRITTEN_STATUSES)[number];

/** Where an order stands. `queued` lives in Redis only. */
export const ORDER_STATUSES = ['queued', ...WRITTEN_STATUSES] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What a shopper is told of an order's history. The first two are never stored: the order's own row tells them. */
export const HISTORY_CAUSES = [
  'accepted',
  'written',
  'paid',
  'expired',
  'cancelled_by_shopper',
  'cancelled_by_merchant',
  'failed',
  'revived',
  'price_changed',
  'payment_late',
  'late_payment_kept',
  'payment_mismatch',
  'refund_requested',
  'money_returned',
] as const;
export type HistoryCause = (typeof HISTORY_CAUSES)[number];

/** All that happens to one: column `order_events.cause`. `confirmed` is not stored either. */
export const ORDER_CAUSES = [...HISTORY_CAUSES, 'confirmed'] as const;
export type OrderCause = (typeof ORDER_CAUSES)[number];

/** Who did it. `provider` is a payment provider, `system` the clock and the functions that follow it. */
export const ORDER_ACTORS = ['shopper', 'merchant', 'provider', 'system'] as const;
