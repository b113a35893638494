import 'server-only';
import type { OrderView } from '@/lib/contract/shapes/order';
import { readRows, toOrderView } from './read-rows';

/** Reads a user's order; null if there is none of this number or it is someone else's. */
export async function readOrder(userId: string, orderNo: string): Promise<OrderView | null> {
  const id = BigInt(orderNo);
  const [row] = (await readRows({ userId, upTo: id, most: 1 })) ?? [];
  return row?.id === id ? toOrderView(row) : null;
}
