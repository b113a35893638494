/** The statuses of an order in Postgres: the column `orders.status`. */
export const WRITTEN_STATUSES = ['pending_payment', 'paid', 'cancelled', 'refunded', 'failed'] as const;
export type WrittenStatus = (typeof WRITTEN_STATUSES)[number];

/**
 * All statuses of an order. The first two live in Redis only: `undecided` is no order yet and no promise of one, in a sale of
 * the queue strategy; `queued` is accepted.
 */
export const ORDER_STATUSES = ['undecided', 'queued', ...WRITTEN_STATUSES] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The events of an order that its shopper sees. The first two are never stored: they follow from the order's own row. */
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
  'part_refund_requested',
  'part_returned',
] as const;
export type HistoryCause = (typeof HISTORY_CAUSES)[number];

/** All events of an order: column `order_events.cause`. `confirmed` is not stored either. */
export const ORDER_CAUSES = [...HISTORY_CAUSES, 'confirmed'] as const;
export type OrderCause = (typeof ORDER_CAUSES)[number];

/** The causes of events. `provider` is a payment provider, `system` the clock and the functions that follow it. */
export const ORDER_ACTORS = ['shopper', 'merchant', 'provider', 'system'] as const;

/** The columns of the file of orders. Others read it by these names: new ones go to the end. */
export const ORDER_FILE_COLUMNS = [
  'order_no',
  'sale_id',
  'sale',
  'user_id',
  'email',
  'quantity',
  'unit_price',
  'amount',
  'currency',
  'status',
  'end_reason',
  'payment',
  'bought_at',
  'written_at',
  'pay_by',
  'paid_at',
  'cancelled_at',
  'refunded',
  'parcel',
  'variant',
  'variant_name',
  'shipping',
  'tax_percent',
  'tax',
] as const;
