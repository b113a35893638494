import 'server-only';
import { db } from '@/lib/db/client';
import type { OrderEvent } from '@/lib/order/order-event';
import { readHistory } from '@/lib/order/read-history';
import type { OrderView } from '@/lib/order/types';
import type { Actor } from './actor';
import { findManagedOrder } from './find-managed-order';

/** An order as its merchant sees it: who bought it, how its payment stands, and all that happened to it. Times in ms. */
export type ManagedOrderView = OrderView & {
  userId: string;
  payment: {
    paymentId: string;
    status: string;
    amountMinor: number;
    /** When the shopper was last sent to the provider: the amount is fixed. */
    openedAt: number | null;
    settledAt: number | null;
    refundedAt: number | null;
  } | null;
  history: OrderEvent[];
};

/** One order with its history; null if there is none of this number or it is another merchant's. */
export async function readManagedOrder(actor: Actor, orderNo: string): Promise<ManagedOrderView | null> {
  const found = await findManagedOrder(actor, orderNo);
  if (!found) return null;
  const { order, userId, paymentId } = found;
  const [history, payment] = await Promise.all([
    readHistory(orderNo),
    paymentId === null ? null : db().payment.findUnique({ where: { id: paymentId } }),
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
    history: history?.events ?? [],
  };
}
