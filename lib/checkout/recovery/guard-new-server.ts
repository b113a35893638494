import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { guardStock } from './guard-stock';

/** How long a shopper waits for a rebuild; after that they ask again. */
const PATIENCE_MS = 1_000;

let running: Promise<unknown> | undefined;

/**
 * Looks at every sale once before a new Redis server sells anything. A server is new if it does not know the purchase
 * script, because it has just started or was a replica until now. Its data may be older than the answers shoppers
 * got. Workers look once a second, but purchases that waited for the connection come before them.
 * @throws StockNotLoadedError if that takes longer than a second, connection errors.
 */
export async function guardNewServer(): Promise<void> {
  running ??= guardStock().finally(() => {
    running = undefined;
  });
  const patience = new AbortController();
  try {
    const isDone = await Promise.race([
      running.then(() => true),
      delay(PATIENCE_MS, false, { signal: patience.signal }),
    ]);
    if (!isDone) throw new StockNotLoadedError('the sales of a new server are being looked at');
  } finally {
    patience.abort();
  }
}
