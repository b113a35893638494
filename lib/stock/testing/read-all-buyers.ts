import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { parseBuyerRecords } from '../buyer-record';
import type { BuyerRecord } from '../types';

/** For tests: reads every buyer of a sale with their purchases. */
export async function readAllBuyers(saleId: string): Promise<Map<string, BuyerRecord[]>> {
  const buyers = new Map<string, BuyerRecord[]>();
  for (const stockId of await stocksAt(saleId)) {
    const records = await stockRedis().hgetall(keys.buyers(stockId));
    for (const [userId, record] of Object.entries(records)) buyers.set(userId, parseBuyerRecords(record));
  }
  return buyers;
}
