import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { guardStock } from './guard-stock';

/** As long as a shopper waits for a rebuild; then they ask again. */
const PATIENCE_MS = 1_000;

let running: Promise<unknown> | undefined;

/**
 * Before a Redis sells anything that does not know the purchase script, because it was started a moment ago or was a
 * replica until then: looks at every sale once, as what it holds may be older than what was answered. Workers look once a
 * second, but purchases that waited for the connection come before them.
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
