import 'server-only';
import type { LogReceipt } from '@/lib/contract/shapes/decision-log';
import { db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import { readReceipt } from './read-receipt';

const MAX_ORDERS = 500;

/**
 * Makes the receipt of a shopper's decisions in a sale.
 * @returns null while none of them is in the signed log, or there is no such sale.
 */
export async function readLogReceipt(saleId: string, userId: string): Promise<LogReceipt | null> {
  const orders = await db().order.findMany({
    where: { shard: shardOf(userId), userId, saleId },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: MAX_ORDERS,
  });
  return readReceipt(
    saleId,
    userId,
    orders.map(({ id }) => String(id)),
  );
}
