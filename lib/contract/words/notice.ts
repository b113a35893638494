/** The subjects of notices to shoppers; column `notifications.kind`. */
export const NOTICE_KINDS = [
  'order_received',
  'order_paid',
  'waitlist_given',
  'draw_won',
  'not_drawn',
  'payment_reminder',
  'late_payment_kept',
  'payment_mismatch',
  'order_refunded',
  'part_refunded',
  'order_cancelled',
  'price_changed',
  'order_shipped',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
