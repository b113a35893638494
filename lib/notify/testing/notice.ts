import type { Notice } from '../types';

/** For tests: makes a notice of a paid order. */
export const noticeOf = (said: Pick<Notice, 'saleTitle'> & Partial<Notice>): Notice => ({
  key: 'order_paid-1024',
  kind: 'order_paid',
  userId: 'user_1',
  email: 'ada@example.com',
  locale: 'en',
  timeZone: null,
  mutedMails: [],
  lacksAddress: false,
  orderNo: '1024',
  saleSlug: 'lamp',
  amountMinor: 4290,
  currency: 'EUR',
  payBy: Date.UTC(2026, 10, 22, 8, 5),
  ...said,
});
