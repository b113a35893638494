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
 * Looks at every sale of a new Redis server once before it sells anything. A server is new if it does not know the
 * purchase script, because it has just started or was a replica until now. Its data may be older than the answers
 * shoppers got. Workers look once a second, but purchases that waited for the connection come before them. On a cluster
 * the sales of other servers don't count: one of those may be away for long.
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
