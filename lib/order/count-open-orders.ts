import 'server-only';
import type { Db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';

/** Counts a user's orders that wait for payment. Purchases that are not written yet are not counted. */
export const countOpenOrders = (tx: Db, userId: string): Promise<number> =>
  tx.order.count({ where: { shard: shardOf(userId), userId, status: 'pending_payment' } });
