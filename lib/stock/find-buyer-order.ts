import 'server-only';
import { readBuyer } from './read-buyer';
import type { BuyerRecord } from './types';

/** The purchase a user's order came from, or null. Answers for orders that are not in Postgres yet. */
export async function findBuyerOrder(order: {
  saleId: string;
  userId: string;
  orderNo: string;
}): Promise<BuyerRecord | null> {
  const records = await readBuyer(order.saleId, order.userId);
  return records.find((record) => record.orderNo === order.orderNo) ?? null;
}
