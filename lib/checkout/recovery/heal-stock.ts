import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import { ensureStockLoaded } from './ensure-stock-loaded';

/** A shopper waits this long for a rebuild, then asks again later; a small sale is back in less. */
const PATIENCE_MS = 1_000;

const under = new Map<string, Promise<boolean>>();

/**
 * `ensureStockLoaded` for requests: one at a time per sale and process however many ask, and nobody waits longer than a
 * second. @returns whether the stock is loaded now; false = still being rebuilt, the answer is 503.
 * @throws connection errors that came within that second.
 */
export async function healStock(saleId: string): Promise<boolean> {
  let healing = under.get(saleId);
  if (!healing) {
    healing = ensureStockLoaded(saleId)
      .then(({ status }) => status !== 'not_published')
      .finally(() => under.delete(saleId));
    under.set(saleId, healing);
    // Those who have gone meanwhile don't hear of it.
    healing.catch((err) => log.warn({ saleId, err }, 'stock could not be rebuilt'));
  }
  const patience = new AbortController();
  try {
    return await Promise.race([healing, delay(PATIENCE_MS, false, { signal: patience.signal })]);
  } finally {
    patience.abort();
  }
}
