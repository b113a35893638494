import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { probeStock } from '@/lib/stock/probe-stock';
import { ensureStockLoaded } from './ensure-stock-loaded';

const MAX_SALES = 1_000;

/**
 * One look at every sale that sells or may still have orders on their way: rebuilds what Redis has lost, or holds as a
 * copy that may be old. For a worker, once a second: nobody has to buy for a lost sale to come back. A sale that ended
 * more than an hour ago is loaded when somebody asks for it.
 * @returns the sales that were rebuilt. @throws connection errors of the look itself.
 */
export async function guardStock(): Promise<string[]> {
  const sales = await db().$queryRaw<{ id: string; epoch: number }[]>`
    SELECT s.id, s.epoch FROM sales s
    WHERE s.status <> 'draft' AND s.ends_at > now() - interval '1 hour'
      AND (s.closed_at IS NULL OR s.closed_at > now() - interval '1 hour')
      AND to_jsonb(s)->>'strategy' IS DISTINCT FROM 'database' AND s.stock_mode = 'redis'
    ORDER BY s.starts_at LIMIT ${MAX_SALES}`;
  const probes = await Promise.all(sales.map(({ id }) => probeStock(id)));
  const rebuilt: string[] = [];
  for (const [at, { id, epoch }] of sales.entries()) {
    const probe = probes[at];
    if (probe?.status === 'loaded' && probe.epoch === epoch) continue;
    try {
      if ((await ensureStockLoaded(id)).status === 'loaded') rebuilt.push(id);
    } catch (err) {
      // One that can't be loaded must not keep the others closed.
      log.error({ saleId: id, err }, 'stock could not be rebuilt');
    }
  }
  return rebuilt;
}
