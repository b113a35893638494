import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { parseBuyerRecords } from './buyer-record';
import { isId, isStockId } from './check-ids';
import type { BuyerRecord } from './types';

/**
 * Reads one user's purchases of a sale, oldest first, including released ones. Returns an empty list if there are
 * none.
 * @throws Error on a record it can't understand, connection errors.
 */
export async function readBuyer(saleId: string, userId: string): Promise<BuyerRecord[]> {
  if (!isStockId(saleId) || !isId(userId)) return [];
  return readBuyerIn(await stockAt(saleId, userId), userId);
}

/** Reads the same in one stock: of an undivided sale, or of the slice that is named. @throws as `readBuyer` */
export async function readBuyerIn(stockId: string, userId: string): Promise<BuyerRecord[]> {
  if (!isStockId(stockId) || !isId(userId)) return [];
  const text = await stockRedis().hget(keys.buyers(stockId), userId);
  return text === null ? [] : parseBuyerRecords(text);
}
