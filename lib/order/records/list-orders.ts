import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { OrderView } from '@/lib/contract/shapes/order';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { parseOrderNo } from '@/lib/ids/order-no';
import { readRows, toOrderView } from './read-rows';

type OrderPage = { orders: OrderView[]; nextCursor: string | null };

const HIGHEST = 2n ** 63n - 1n;

/**
 * Lists a user's orders, newest first.
 * @returns null if the cursor is not one of ours.
 */
export async function listOrders(userId: string, { cursor, limit }: Page): Promise<OrderPage | null> {
  const before = cursor === undefined ? null : parseOrderNo(decodeCursor(cursor));
  if (cursor !== undefined && before === null) return null;
  const upTo = before === null ? HIGHEST : before - 1n;
  const rows = (await readRows({ userId, upTo, most: limit + 1 })) ?? [];
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return {
    orders: page.map(toOrderView),
    nextCursor,
  };
}
