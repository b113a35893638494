/** The subjects of notices about an order. */
export const ORDER_NOTICE_KINDS = [
  'order_paid',
  'draw_won',
  'waitlist_given',
  'payment_reminder',
  'late_payment_kept',
  'payment_mismatch',
  'order_refunded',
  'order_cancelled',
  'price_changed',
  'order_shipped',
] as const;
export type OrderNoticeKind = (typeof ORDER_NOTICE_KINDS)[number];

/** The subjects of notices about a sale in which somebody waits: not drawn, and so in line; over, with nothing got. */
export const SALE_NOTICE_KINDS = ['draw_waiting', 'sale_over'] as const;
export type SaleNoticeKind = (typeof SALE_NOTICE_KINDS)[number];

/** The subjects of notices to shoppers; column `notifications.kind`. */
export const NOTICE_KINDS = [...ORDER_NOTICE_KINDS, ...SALE_NOTICE_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
