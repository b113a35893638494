import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { OrderView } from '@/lib/contract/shapes/order';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { parseOrderNo } from '@/lib/ids/order-no';
import { shardOf } from '@/lib/ids/shard-of';
import { toOrderView, VIEW_INCLUDE } from './read-order';

export type OrderPage = { orders: OrderView[]; nextCursor: string | null };

/**
 * Lists a user's orders, newest first; reads the user's own partition only.
 * @returns null if the cursor is not one of ours.
 */
export async function listOrders(userId: string, { cursor, limit }: Page): Promise<OrderPage | null> {
  const before = cursor === undefined ? undefined : parseOrderNo(decodeCursor(cursor));
  if (before === null) return null;
  const rows = await db().order.findMany({
    where: { shard: shardOf(userId), userId, id: before === undefined ? undefined : { lt: before } },
    orderBy: { id: 'desc' },
    take: limit + 1,
    include: VIEW_INCLUDE,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    orders: page.map(toOrderView),
    nextCursor: last && rows.length > limit ? encodeCursor(String(last.id)) : null,
  };
}
