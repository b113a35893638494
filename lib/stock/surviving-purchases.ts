import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readBuyerRecords } from './buyer-record';
import type { BuyerRecord } from './types';

const PAGE = 2_000;

/**
 * Reads, in pages, the purchases that Redis still remembers as held or sold, for a rebuild. Leaves out records that it
 * can't read, since a rebuild must not fail on the data that broke the sale. Postgres lacks a sold purchase only after
 * a restore from a backup; what the provider has of it pays the order again.
 */
export async function* survivingPurchases(
  stockId: string,
): AsyncGenerator<(BuyerRecord & { userId: string })[]> {
  let cursor = '0';
  do {
    const [next, flat] = await stockRedis().hscan(keys.buyers(stockId), cursor, 'COUNT', PAGE);
    cursor = next;
    const page: (BuyerRecord & { userId: string })[] = [];
    for (let at = 0; at + 1 < flat.length; at += 2) {
      const userId = flat[at] ?? '';
      for (const record of readBuyerRecords(flat[at + 1] ?? '') ?? []) {
        if (record.state !== 'released') page.push({ ...record, userId });
      }
    }
    if (page.length > 0) yield page;
  } while (cursor !== '0');
}
