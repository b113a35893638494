import { fetchJson } from '@/components/api/fetch-json';

export type NoticeKind =
  | 'order_paid'
  | 'payment_reminder'
  | 'late_payment_kept'
  | 'payment_mismatch'
  | 'order_refunded'
  | 'order_cancelled'
  | 'price_changed';

/** One thing a shopper was told. Times in ms, money in minor units. */
export interface NotificationView {
  id: string;
  kind: NoticeKind;
  orderNo: string;
  saleTitle: string;
  amountMinor: number;
  currency: string;
  payBy: number;
  createdAt: number;
  readAt: number | null;
}

export interface NotificationPage {
  notifications: NotificationView[];
  unread: number;
  nextCursor: string | null;
}

export const getNotifications = (cursor: string | null, signal?: AbortSignal) =>
  fetchJson<NotificationPage>(`/api/notifications${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`, {
    cache: 'no-store',
    signal,
  });

export const getUnread = (signal?: AbortSignal) =>
  fetchJson<{ unread: number }>('/api/notifications/unread', { cache: 'no-store', signal });

/** Marks the named ones as read, or all. */
export const postRead = (ids?: string[]) =>
  fetchJson<{ unread: number }>('/api/notifications/read', { method: 'POST', body: { ids } });
