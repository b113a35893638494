import { createOrders } from '@/lib/checkout/order/create-orders';
import { toEntries } from '@/lib/outbox/group';
import { MAX_BATCH } from '@/lib/outbox/order-batch';
import { parseEntry } from '@/lib/outbox/parse-entry';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** For tests: writes the purchases that wait in a sale's outbox as orders, as relay and executor do. @returns how many. */
export async function drainOutbox(saleId: string): Promise<number> {
  const key = keys.outbox(saleId);
  for (let count = 0; ; ) {
    const entries = toEntries(saleId, await stockRedis().xrange(key, '-', '+', 'COUNT', MAX_BATCH));
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
