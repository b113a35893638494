import 'server-only';
import type { NoticeKind } from '@/lib/contract/words/notice';
import type { PointsKind } from '@/lib/contract/words/points';
import type { Db } from '@/lib/db/client';
import { type NewMessage, putMessages } from '@/lib/outbox/put-message';

/**
 * Builds messages that tell a shopper of a change, one per way of telling.
 * @param about `nth` tells apart notices of one kind; `amountMinor` where it is not the order's
 */
export function noticesOf(
  kind: NoticeKind,
  order: { saleId: string; orderNo: string },
  { nth = '', amountMinor }: { nth?: string; amountMinor?: number } = {},
): NewMessage[] {
  const key = `${kind}-${order.orderNo}${nth && `-${nth}`}`;
  return inBothWays({ ...order, kind, key, ...(amountMinor !== undefined && { amountMinor }) });
}

/** Builds the messages that tell a shopper of a new order. The release before takes them for reminders to pay. */
export const receivedNotices = (order: { saleId: string; orderNo: string }): NewMessage[] =>
  inBothWays({
    ...order,
    kind: 'payment_reminder',
    says: 'order_received',
    key: `order_received-${order.orderNo}`,
  });

const inBothWays = (payload: NewMessage['payload']): NewMessage[] => [
  { topic: 'in-app', payload },
  { topic: 'mail', payload },
];

/** Builds messages that add an order's points, or take them back. */
export function pointsOf(kind: PointsKind, order: { saleId: string; orderNo: string }): NewMessage {
  return { topic: 'points', payload: { ...order, kind } };
}

type PaidKind = 'order_paid' | 'late_payment_kept';

/**
 * Builds the messages that announce a paid order: its units are to be counted as sold, its points given, its shopper
 * told. Each consumer gets its own message, so that none can hold up another.
 */
export function paidMessages(
  order: { saleId: string; orderNo: string },
  kind: PaidKind = 'order_paid',
): NewMessage[] {
  return [
    { topic: 'orders/paid', payload: { saleId: order.saleId, orderNo: order.orderNo } },
    pointsOf('earned', order),
    ...noticesOf(kind, order),
  ];
}

/** Announces a paid order. Call it in the transaction of the payment. */
export function announcePaid(
  tx: Db,
  order: { saleId: string; orderNo: string },
  kind?: PaidKind,
): Promise<void> {
  return putMessages(tx, paidMessages(order, kind));
}
