import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/slices-of';
import { parseBuyerRecords } from './buyer-record';
import { checkId } from './check-ids';
import type { BuyerRecord } from './types';

const PAGE_SIZE = 500;

/**
 * Lists every buyer of a sale with their purchases, each user once, without blocking Redis (HSCAN). Users who buy
 * while the scan runs may be missing or appear in an older state.
 *
 * @throws TypeError if `saleId` is no id, Error on a record it can't understand, connection errors.
 */
export async function* scanBuyers(
  saleId: string,
): AsyncGenerator<{ userId: string; records: BuyerRecord[] }> {
  checkId('saleId', saleId);
  for (const stockId of await stocksAt(saleId)) yield* scanStock(stockId);
}

async function* scanStock(stockId: string): AsyncGenerator<{ userId: string; records: BuyerRecord[] }> {
  // HSCAN may return a field twice while Redis resizes the hash.
  const seen = new Set<string>();
  let cursor = '0';
  do {
    const [next, page] = await stockRedis().hscan(keys.buyers(stockId), cursor, 'COUNT', PAGE_SIZE);
    cursor = next;
    for (let i = 0; i + 1 < page.length; i += 2) {
      const userId = page[i] ?? '';
      if (seen.has(userId)) continue;
      seen.add(userId);
      yield { userId, records: parseBuyerRecords(page[i + 1] ?? '') };
    }
  } while (cursor !== '0');
}
