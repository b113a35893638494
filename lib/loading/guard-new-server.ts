import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { serverOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { limitMs } from '@/lib/time-limits';
import { guardSales } from './guard-stock';

const running = new Map<string, Promise<unknown>>();

/**
 * Looks at every sale of a new Redis server before it sells anything, since its data may be older than the answers
 * shoppers got. A server is new if it does not know the purchase script: it has just started, or was a replica. Workers
 * look only once a second, and purchases that waited for the connection come before.
 * @param saleId a sale that the server holds
 * @throws StockNotLoadedError if that takes longer than a second, connection errors.
 */
export async function guardNewServer(saleId: string): Promise<void> {
  const placeOf = (id: string) => serverOf(stockRedis(), keys.sale(id));
  const server = placeOf(saleId);
  let looking = running.get(server);
  if (!looking) {
    looking = guardAll((id) => placeOf(id) === server).finally(() => running.delete(server));
    running.set(server, looking);
  }
  const patience = new AbortController();
  try {
    const isDone = await Promise.race([
      looking.then(() => true),
      delay(limitMs('guardNewServer'), false, { signal: patience.signal }),
    ]);
    if (!isDone) throw new StockNotLoadedError('the sales of a new server are being looked at');
  } finally {
    patience.abort();
  }
}

async function guardAll(isMeant: (saleId: string) => boolean): Promise<void> {
  const { outages } = await guardSales(isMeant);
  if (outages.length > 0) throw outages[0];
}
