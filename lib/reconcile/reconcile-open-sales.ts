import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { reconcileSale } from './reconcile-sale';

const EVERY_SEC = 60;
const MAX_SALES = 200;
/** Settings that differ in Redis have to be found before the start. */
const AHEAD_MIN = 10;

/**
 * Reconciles and repairs every sale that opens within ten minutes, is open, or ended less than an hour ago, unless it
 * was checked within the last minute. Workers share the sales: each sale has a lock, and a fresh report tells the
 * others that it is done.
 * @param signal ends it: no waiting goes on, and no other sale is begun
 * @returns how many this process reconciled.
 */
export async function reconcileOpenSales(signal?: AbortSignal): Promise<number> {
  const sales = await db().$queryRaw<{ id: string }[]>`
    SELECT s.id FROM sales s
    WHERE s.status <> 'draft' AND s.starts_at < now() + make_interval(mins => ${AHEAD_MIN}::int) AND s.ends_at > now() - interval '1 hour'
      AND (s.closed_at IS NULL OR s.closed_at > now() - interval '1 hour')
      AND NOT EXISTS (SELECT FROM reconciliations r WHERE r.sale_id = s.id AND r.cause = 'schedule'
                        AND r.created_at > now() - make_interval(secs => ${EVERY_SEC}))
    ORDER BY s.starts_at LIMIT ${MAX_SALES}`;
  let count = 0;
  for (const { id } of sales) {
    if (signal?.aborted) break;
    try {
      const { status } = await reconcileSale(id, { cause: 'schedule', isRepairing: true, signal });
      if (status === 'done') count += 1;
    } catch (err) {
      if (signal?.aborted) break;
      log.error({ saleId: id, err }, 'reconciliation failed');
    }
  }
  return count;
}
