import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import { ensureStockLoaded } from './ensure-stock-loaded';

/** How long a shopper waits for a rebuild before asking again later. A small sale is back sooner. */
const PATIENCE_MS = 1_000;

const under = new Map<string, Promise<boolean>>();

/**
 * Calls `ensureStockLoaded` for requests: once at a time per sale and process, however many ask. No request waits
 * longer than a second. @param slice of a split sale: only this one. @returns whether the stock is loaded now; false = still being rebuilt, the answer is 503.
 * @throws connection errors that came within that second.
 */
export async function healStock(saleId: string, slice?: number): Promise<boolean> {
  const name = slice === undefined ? saleId : `${saleId} ${slice}`;
  let healing = under.get(name);
  if (!healing) {
    healing = ensureStockLoaded(saleId, slice === undefined ? undefined : [slice])
      .then(({ status }) => status !== 'not_published')
      .finally(() => under.delete(name));
    under.set(name, healing);
    // Requests that stopped waiting do not see this error.
    healing.catch((err) => log.warn({ saleId, err }, 'stock could not be rebuilt'));
  }
  const patience = new AbortController();
  try {
    return await Promise.race([healing, delay(PATIENCE_MS, false, { signal: patience.signal })]);
  } finally {
    patience.abort();
  }
}
