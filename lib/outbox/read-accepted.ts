import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { AcceptedOrder } from './accepted-order';
import { toEntries } from './group';
import { parseEntry } from './parse-entry';

const PAGE = 5_000;

/**
 * Reads every purchase that waits in a stock's outbox, delivered to a relay or not, oldest first. Leaves out entries
 * that can't become orders: the relay buries them.
 */
export async function readAccepted(stockId: string): Promise<AcceptedOrder[]> {
  const orders: AcceptedOrder[] = [];
  for (let from = '-'; ; ) {
    const page = await stockRedis().xrange(keys.outbox(stockId), from, '+', 'COUNT', PAGE);
    for (const entry of toEntries(stockId, page)) {
      const parsed = parseEntry(entry);
      if (parsed.ok) orders.push(parsed.entry.order);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return orders;
    from = `(${last[0]}`;
  }
}
