import type { Locale } from '@/i18n/routing';

/** What shoppers are told of; column `notifications.kind`. */
export const NOTICE_KINDS = [
  'order_paid',
  'payment_reminder',
  'late_payment_kept',
  'payment_mismatch',
  'order_refunded',
  'order_cancelled',
  'price_changed',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a notice says, whichever way it goes. Times in ms, money in minor units. */
export type Notice = {
  /** Same key, same notice: it is shown once, and a mail that is sent twice says that it is the same. */
  key: string;
  kind: NoticeKind;
  userId: string;
  email: string;
  /** Of the mail; what is shown in the shop is in the language of the page. */
  locale: Locale;
  orderNo: string;
  saleTitle: string;
  amountMinor: number;
  currency: string;
  payBy: number;
};

/** A notice as its reader gets it. */
export type NotificationView = {
  id: string;
  kind: NoticeKind;
  orderNo: string;
  saleTitle: string;
  amountMinor: number;
  currency: string;
  payBy: number;
  createdAt: number;
  readAt: number | null;
};
