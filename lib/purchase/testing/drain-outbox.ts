import { toEntries } from '@/lib/outbox/group';
import { MAX_BATCH } from '@/lib/outbox/order-batch';
import { parseEntry } from '@/lib/outbox/parse-entry';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { stocksAt } from '@/lib/slice/numbers/slices-of';

/**
 * For tests: writes the purchases that wait in a sale's outbox as orders, as relay and executor do; of a split sale those
 * of all slices. @returns how many.
 */
export async function drainOutbox(saleId: string): Promise<number> {
  let count = 0;
  for (const stockId of await stocksAt(saleId)) count += await drainOne(saleId, stockId);
  return count;
}

async function drainOne(saleId: string, stockId: string): Promise<number> {
  const key = keys.outbox(stockId);
  for (let count = 0; ; ) {
    const entries = toEntries(stockId, await stockRedis().xrange(key, '-', '+', 'COUNT', MAX_BATCH));
    if (entries.length === 0) return count;
    const orders = entries.map((entry) => {
      const parsed = parseEntry(entry);
      if (!parsed.ok) throw new Error(parsed.error);
      return parsed.entry.order;
    });
    await createOrders({ saleId, orders });
    await stockRedis().xdel(key, ...entries.map(({ entryId }) => entryId));
    count += entries.length;
  }
}
