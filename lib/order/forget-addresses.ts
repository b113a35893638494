import 'server-only';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { orderKey } from './order-key';

/** Erases where the orders of an account went, except of paid ones that are still to be shipped: the shop needs those. */
export async function forgetAddresses(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE deliveries d SET address = NULL, updated_at = now()
    FROM orders o
    WHERE o.shard = ${shardOf(userId)}::smallint AND o.user_id = ${userId} AND d.shard = o.shard AND d.order_id = o.id
      AND d.address IS NOT NULL AND NOT (o.status = 'paid' AND d.state IN ('waiting', 'packed'))`;
}

/** Erases where one order went, if its owner has deleted the account and nothing is to be sent any more. */
export async function forgetIfDeleted(tx: Db, orderNo: string): Promise<void> {
  const { shard, id } = orderKey(orderNo);
  await tx.$executeRaw`
    UPDATE deliveries d SET address = NULL, updated_at = now()
    FROM orders o JOIN users u ON u.id = o.user_id
    WHERE d.shard = ${shard}::smallint AND d.order_id = ${id} AND o.shard = d.shard AND o.id = d.order_id
      AND u.deleted_at IS NOT NULL`;
}
