import 'server-only';
import { db } from '@/lib/db/client';
import { leaveRedis } from '@/lib/fallback/records/change-mode';
import { withLock } from '@/lib/lock/with-lock';
import { stockRedis } from '@/lib/redis/client';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { probeStock } from '@/lib/stock/probe-stock';
import { limitMs } from '@/lib/time-limits';
import { ensureSlicesLoaded } from './ensure-slices-loaded';
import { rebuildStock } from './rebuild-stock';
import { returnToRedis } from './return-to-redis';

type EnsureResult = { status: 'warm' | 'loaded' | 'not_published' };

const LOCK_TTL_MS = 5_000;

/**
 * Makes sure that Redis holds a sale's stock, under the epoch Postgres knows and on the server that loaded it; rebuilds
 * it otherwise (decision 015). A row lock allows one rebuild at a time; the lock in Redis only saves work. A sale that
 * can go over to Postgres does so first, so that accepted purchases are written.
 * @param slices of a split sale: only these; left out: all of them
 * @throws connection errors; then nothing has changed, or the sale is closed until the next call.
 */
export async function ensureStockLoaded(saleId: string, slices?: readonly number[]): Promise<EnsureResult> {
  const seen = await look(saleId);
  if (seen.status === 'split') return ensureSlicesLoaded(seen.sale, slices);
  if (seen.status !== 'cold') return { status: seen.status };
  if (seen.hasFallback) {
    await leaveRedis(saleId, seen.epoch);
    return { status: (await returnToRedis(saleId)) ? 'loaded' : 'warm' };
  }
  const options = { ttlMs: LOCK_TTL_MS, acquireTimeoutMs: limitMs('loadLock'), nodes: [stockRedis()] };
  const locked = await withLock(`rebuild:${saleId}`, options, () => rebuildStock(saleId));
  const { status } = locked.status === 'done' ? locked.value : await rebuildStock(saleId);
  if (status === 'loaded') await forgetSaleInfo(saleId);
  return { status };
}

type Look =
  | { status: 'warm' | 'not_published' }
  | { status: 'split'; sale: Parameters<typeof ensureSlicesLoaded>[0] }
  | { status: 'cold'; epoch: number; hasFallback: boolean };

async function look(saleId: string): Promise<Look> {
  const sale = await db().sale.findUnique({
    where: { id: saleId },
    select: {
      id: true,
      status: true,
      epoch: true,
      slices: true,
      sliceEpochs: true,
      strategy: true,
      onStockOutage: true,
      stockMode: true,
    },
  });
  if (!sale || sale.status === 'draft') return { status: 'not_published' };
  if (sale.slices > 1) return { status: 'split', sale };
  const { epoch } = sale;
  // The stock lives in Postgres, always or just now: there is nothing to load.
  if (isInDatabase(sale)) return { status: 'warm' };
  const probe = await probeStock(saleId);
  if (probe.status === 'loaded' && probe.epoch === epoch) return { status: 'warm' };
  return { status: 'cold', epoch, hasFallback: sale.onStockOutage === 'database' };
}
