import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { askExecutor } from '@/lib/health/check-readiness';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { loadingsOf } from '@/lib/slice/loadings';
import { probeStock } from '@/lib/stock/probe-stock';
import { checkRelease } from './check-release';
import { failed, passed } from './make-check';
import { differenceOf, measureClocks, surelyApart } from './measure-clocks';
import { readWorkerSilenceMs } from './worker-sign';

/** A worker gives a sign every 5 s; one on a busy machine is never this late. */
const WORKER_SILENT_MS = 60_000;
const CLOCK_WARN_MS = 500;
/** From this difference on, a sale would start or end earlier for some clients than for others. */
const CLOCK_STOP_MS = 5_000;
const EXECUTOR_TRIES = 4;
const EXECUTOR_PAUSE_MS = 750;
const PROBE_TTL_MS = 10_000;

const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Checks the parts without which a sale can't be sold, or not correctly. Only these checks can stop a publication. A
 * slow part is only a warning: a busy machine must not keep a merchant from publishing.
 */
export async function checkParts(sale: SaleInfo): Promise<Check[]> {
  // If Postgres decides every purchase, a sale can go on without Redis.
  const withoutRedis = STRATEGIES[sale.strategy].stock === 'postgres' ? 'warn' : 'stop';
  const [running, stock, release] = await Promise.all([
    checkRunning(withoutRedis),
    checkStock(sale),
    checkRelease(sale),
  ]);
  return [...running, stock, release];
}

/** Checks the parts that every sale needs. @param withoutRedis what it means if Redis takes no writes */
export const checkRunning = (
  withoutRedis: Check['severity'],
): Promise<Check<'redis' | 'worker' | 'executor' | 'clock'>[]> =>
  Promise.all([checkRedis(withoutRedis), checkWorker(), checkExecutor(), checkClock()]);

/** Checks that Redis accepts a write; one that is full, read-only or can't save does not. */
async function checkRedis(severity: Check['severity']): Promise<Check<'redis'>> {
  try {
    await stockRedis().set(keys.preflight(), '1', 'PX', PROBE_TTL_MS);
    return passed('redis', 'Redis takes writes.');
  } catch (error) {
    return failed(severity, 'redis', 'unreachable', told(error));
  }
}

async function checkStock(sale: SaleInfo): Promise<Check> {
  const { status, strategy, totalStock } = sale;
  if (totalStock === 0) return failed('warn', 'stock', 'none', 'There is nothing to sell.');
  if (status === 'draft' || STRATEGIES[strategy].stock === 'postgres')
    return passed('stock', 'The stock is loaded when the sale is published.');
  try {
    const probes = await Promise.all(
      loadingsOf(sale).map(async ({ saleId, epoch }) => ({ epoch, probe: await probeStock(saleId) })),
    );
    return probes.every(({ epoch, probe }) => probe.status === 'loaded' && probe.epoch === epoch)
      ? passed('stock', 'The stock is loaded.')
      : failed('warn', 'stock', 'not_loaded', 'The stock is not loaded; publishing again loads it.');
  } catch (error) {
    return failed('warn', 'stock', 'unreachable', told(error));
  }
}

async function checkWorker(): Promise<Check<'worker'>> {
  const silentMs = await readWorkerSilenceMs().catch(() => null);
  if (silentMs === null)
    return failed(
      'warn',
      'worker',
      'never_seen',
      'No worker has given a sign yet; without one no order is written.',
    );
  const values = { silentSec: Math.round(silentMs / 1_000) };
  if (silentMs < WORKER_SILENT_MS) return passed('worker', 'A worker is there.', values);
  // If everything has just been started, the worker may still be starting.
  const severity = process.uptime() * 1_000 < WORKER_SILENT_MS ? 'warn' : 'stop';
  return failed(
    severity,
    'worker',
    'silent',
    `No worker has given a sign for ${values.silentSec} s.`,
    values,
  );
}

async function checkExecutor(): Promise<Check<'executor'>> {
  for (let tries = 1; ; tries += 1) {
    try {
      await askExecutor();
      return passed('executor', 'The executor is there.');
    } catch (error) {
      if (!isRefused(error)) return failed('warn', 'executor', 'slow', told(error));
      if (tries === EXECUTOR_TRIES)
        return failed('stop', 'executor', 'down', 'Nobody listens at the executor’s port.');
    }
    await delay(EXECUTOR_PAUSE_MS);
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

async function checkClock(): Promise<Check<'clock'>> {
  try {
    const { redis, postgres } = await measureClocks();
    const apart = [redis, postgres, differenceOf(redis, postgres)].map(surelyApart);
    const apartMs = Math.round(Math.max(...apart));
    const values = { apartMs };
    if (apartMs <= CLOCK_WARN_MS)
      return passed('clock', 'The clocks of web, Redis and Postgres agree.', values);
    const severity = apartMs > CLOCK_STOP_MS ? 'stop' : 'warn';
    return failed(severity, 'clock', 'apart', `The clocks are at least ${apartMs} ms apart.`, values);
  } catch (error) {
    return failed('warn', 'clock', 'unknown', told(error));
  }
}
