import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/http/log';
import { limitMs } from '@/lib/time-limits';
import { ensureStockLoaded } from './ensure-stock-loaded';

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
    return await Promise.race([healing, delay(limitMs('heal'), false, { signal: patience.signal })]);
  } finally {
    patience.abort();
  }
}
