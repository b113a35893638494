import 'server-only';
import { groupBy } from '@/lib/outbox/group-by';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stockAt, stocksAt } from '@/lib/slice/numbers/slices-of';
import { readBuyerRecords } from '@/lib/stock/buyer-record';
import type { BuyerRecord } from '@/lib/stock/types';

const SCAN_COUNT = 2000;

/** One user's purchases in a sale; null if the record can't be read. */
type Buyer = { userId: string; purchases: BuyerRecord[] | null };

/** Yields all buyers of a sale, in batches of about 2000. A buyer who is there all the time comes at least once. */
export async function* scanBuyers(saleId: string): AsyncGenerator<Buyer[]> {
  for (const stockId of await stocksAt(saleId)) yield* scanStock(stockId);
}

/** Does the same for one slice of a split sale; the first one has the sale's own id. */
export async function* scanStock(stockId: string): AsyncGenerator<Buyer[]> {
  let cursor = '0';
  do {
    const [next, flat] = await stockRedis().hscan(keys.buyers(stockId), cursor, 'COUNT', SCAN_COUNT);
    cursor = next;
    const batch: Buyer[] = [];
    for (let i = 0; i < flat.length; i += 2) {
      batch.push({ userId: flat[i] ?? '', purchases: readBuyerRecords(flat[i + 1] ?? '') });
    }
    if (batch.length > 0) yield batch;
  } while (cursor !== '0');
}

/** Reads the purchases of these users, in the given order; no record = no purchases. */
export async function readBuyers(saleId: string, userIds: readonly string[]): Promise<Buyer[]> {
  if (userIds.length === 0) return [];
  const stocks = await Promise.all(userIds.map((userId) => stockAt(saleId, userId)));
  const records = new Map<string, string | null>();
  for (const [stockId, ofStock] of groupBy([...userIds.keys()], (at) => stocks[at] as string)) {
    const asked = ofStock.map((at) => userIds[at] as string);
    const found = await stockRedis().hmget(keys.buyers(stockId), ...asked);
    for (const [at, userId] of asked.entries()) records.set(userId, found[at] ?? null);
  }
  return userIds.map((userId) => {
    const record = records.get(userId);
    return { userId, purchases: record ? readBuyerRecords(record) : [] };
  });
}
