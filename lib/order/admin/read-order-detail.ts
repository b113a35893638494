import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { idTimeMs } from '@/lib/cache/id-time';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { db } from '@/lib/db/client';
import { toView } from '@/lib/dead-letter/list-dead-letters';
import { orderKey } from '@/lib/ids/order-key';
import { findPendingRefund } from './find-pending-refund';
import { readManagedOrder } from './read-managed-order';

const MOST = 50;

/** Returns one order with everything related to it; null if no order has this number or it is another merchant's. */
export async function readOrderDetail(actor: Actor, orderNo: string): Promise<OrderDetail | null> {
  const order = await readManagedOrder(actor, orderNo);
  if (!order) return null;
  const { shard, id } = orderKey(orderNo);
  const paymentId = order.payment?.paymentId;
  const [row, paymentEvents, notifications, points, deadLetters, waitingRefund] = await Promise.all([
    db().order.findUniqueOrThrow({
      where: { shard_id: { shard, id } },
      include: {
        user: { select: { email: true, name: true } },
        sale: { select: { totalStock: true, heldStock: true, soldStock: true } },
      },
    }),
    paymentId === undefined
      ? []
      : db().paymentEvent.findMany({ where: { paymentId }, orderBy: { receivedAt: 'asc' }, take: MOST }),
    db().notification.findMany({
      where: { userId: order.userId, orderId: id },
      orderBy: { id: 'asc' },
      take: MOST,
    }),
    db().pointsEntry.findMany({ where: { orderId: id }, orderBy: { id: 'asc' } }),
    db().deadLetter.findMany({ where: { orderNo: id }, orderBy: { id: 'asc' }, take: MOST }),
    findPendingRefund(order.orderNo),
  ]);
  const people = await db().user.findMany({
    where: { id: { in: order.history.flatMap(({ actor: { id } }) => id ?? []) } },
    select: { id: true, email: true },
  });
  return {
    ...order,
    email: row.user.email,
    name: row.user.name,
    enteredAt: idTimeMs(row.jti),
    acceptedAt: row.acceptedAt.getTime(),
    remindedAt: row.remindedAt?.getTime() ?? null,
    stockSettledAt: row.stockSettledAt?.getTime() ?? null,
    refundReturnsStock: row.refundReturnsStock,
    paymentEvents: paymentEvents.map(({ receivedAt, type, outcome, webhookId }) => ({
      at: receivedAt.getTime(),
      type,
      outcome,
      webhookId,
    })),
    notifications: notifications.map(({ createdAt, kind, readAt }) => ({
      at: createdAt.getTime(),
      kind,
      readAt: readAt?.getTime() ?? null,
    })),
    points: points.map(({ createdAt, kind, points }) => ({ at: createdAt.getTime(), kind, points })),
    deadLetters: deadLetters.map(toView),
    waitingRefund,
    people: Object.fromEntries(people.map(({ id, email }) => [id, email])),
    saleStock: { total: row.sale.totalStock, held: row.sale.heldStock, sold: row.sale.soldStock },
  };
}
