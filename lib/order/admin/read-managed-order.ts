import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { ManagedOrderView } from '@/lib/contract/shapes/order';
import { db } from '@/lib/db/client';
import { paymentKey } from '@/lib/ids/payment-key';
import { readHistory } from '@/lib/order/records/read-history';
import { findManagedOrder } from './find-managed-order';

/** Returns one order with its history; null if no order has this number or it is another merchant's. */
export async function readManagedOrder(actor: Actor, orderNo: string): Promise<ManagedOrderView | null> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return null;
  const { order, userId, paymentId } = found;
  const [history, payment] = await Promise.all([
    readHistory(orderNo),
    paymentId === null
      ? null
      : db().payment.findUnique({
          where: { shard_orderId: paymentKey(paymentId) },
          include: { parts: { orderBy: { nth: 'asc' } } },
        }),
  ]);
  return {
    ...order,
    userId,
    payment: payment && {
      paymentId: payment.id,
      status: payment.status,
      amountMinor: payment.amountMinor,
      openedAt: payment.openedAt?.getTime() ?? null,
      settledAt: payment.settledAt?.getTime() ?? null,
      refundedAt: payment.refundedAt?.getTime() ?? null,
    },
    refundParts: (payment?.parts ?? []).map(({ amountMinor, reason, askedBy, askedAt, sentAt }) => ({
      amountMinor,
      reason,
      askedBy,
      askedAt: askedAt.getTime(),
      sentAt: sentAt?.getTime() ?? null,
    })),
    history: history?.events ?? [],
  };
}
