import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { orderKey } from '@/lib/ids/order-key';
import { CREATE_ORDERS } from '@/lib/order/records/consumer-names';
import { findWritten } from '@/lib/order/records/find-written';
import { lockBuyers } from '@/lib/order/records/lock-buyers';
import { recordFailedOrder } from '@/lib/order/records/record-failed-order';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { createOrders } from './create-orders';

const CHUNK = 500;

/**
 * Writes purchases that Redis has accepted as orders, past outbox and executor, while Redis does not sell the sale.
 * Postgres may have sold to the same shopper meanwhile: for the same token, or up to the limit. Then that order stays,
 * and this purchase is recorded as failed. Other purchases of these shoppers in Postgres wait meanwhile. Idempotent.
 * @throws connection errors; calling again goes on where this ended.
 */
export async function handOver(saleId: string, orders: readonly AcceptedOrder[]): Promise<void> {
  for (let at = 0; at < orders.length; at += CHUNK) {
    const chunk = await unwritten(saleId, orders.slice(at, at + CHUNK));
    if (chunk.length === 0) continue;
    // This transaction only holds the locks. Other transactions write the orders beside it.
    await transaction(async (tx) => {
      await lockBuyers(
        tx,
        saleId,
        chunk.map(({ userId }) => userId),
      );
      const surplus = await findSurplus(tx, saleId, chunk);
      for (const order of surplus) await giveUp(saleId, order);
      await createOrders({ saleId, orders: chunk.filter((order) => !surplus.has(order)) });
    });
  }
}

async function unwritten(saleId: string, orders: readonly AcceptedOrder[]): Promise<AcceptedOrder[]> {
  const orderNos = orders.map(({ orderNo }) => orderNo);
  const written = await findWritten(db(), saleId, orderNos);
  return orders.filter(({ orderNo }) => !written.has(orderNo));
}

type Bought = { userId: string; live: number; jtis: string[]; limit: number };

/** Finds purchases whose token has bought meanwhile, or which would exceed their shopper's limit. */
async function findSurplus(
  tx: Db,
  saleId: string,
  orders: readonly AcceptedOrder[],
): Promise<Set<AcceptedOrder>> {
  const shards = orders.map(({ orderNo }) => orderKey(orderNo).shard);
  const rows = await tx.$queryRaw<Bought[]>`
    SELECT i.user_id AS "userId", max(s.limit_per_user) AS "limit", coalesce(array_agg(o.jti), '{}') AS jtis,
           coalesce(sum(o.quantity) FILTER (WHERE o.status IN ('pending_payment', 'paid')), 0)::int AS live
      FROM (SELECT DISTINCT * FROM unnest(${shards}::smallint[], ${orders.map(({ userId }) => userId)}::text[]))
             AS i (shard, user_id)
      JOIN sales s ON s.id = ${saleId}
      JOIN orders o ON o.shard = i.shard AND o.user_id = i.user_id AND o.sale_id = s.id
     GROUP BY i.user_id`;
  const bought = new Map(rows.map((row) => [row.userId, row]));
  return new Set(
    orders.filter(({ userId, jti, quantity }) => {
      const so = bought.get(userId);
      if (!so) return false;
      if (so.jtis.includes(jti) || so.live + quantity > so.limit) return true;
      so.live += quantity;
      return false;
    }),
  );
}

/**
 * Records the purchase as failed, for the books. No person need look at it: there is nothing to give back, and the
 * shopper has the order they heard of last.
 */
async function giveUp(saleId: string, order: AcceptedOrder): Promise<void> {
  const error = 'bought again while Redis was away';
  await transaction(async (tx) => {
    await recordFailedOrder(tx, { saleId, order, reason: 'duplicate_order', error, consumer: CREATE_ORDERS });
    await tx.deadLetter.updateMany({
      where: { consumer: CREATE_ORDERS, messageId: order.orderNo, resolvedAt: null },
      data: { releasedAt: new Date(), resolvedAt: new Date(), resolution: 'superseded' },
    });
  });
}
