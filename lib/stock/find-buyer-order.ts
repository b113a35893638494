import 'server-only';
import { readBuyer } from './read-buyer';
import type { BuyerRecord } from './types';

/** Returns the purchase that a user's order came from, or null. Also finds orders that are not in Postgres yet. */
export async function findBuyerOrder(order: {
  saleId: string;
  userId: string;
  orderNo: string;
}): Promise<BuyerRecord | null> {
  const records = await readBuyer(order.saleId, order.userId);
  return records.find((record) => record.orderNo === order.orderNo) ?? null;
}
