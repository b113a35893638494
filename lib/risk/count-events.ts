import 'server-only';
import type { RiskMetric, RiskSubject } from '@/lib/contract/words/risk';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

/** A count of one metric, for one subject, over one time. */
export type Counter = { metric: RiskMetric; windowSec: number; kind: RiskSubject; value: string };

/**
 * Counts events of a subject in a sliding window. The window is kept in 60 parts, so the count covers between 59 and
 * 60 sixtieths of it, never more than the window.
 * @param events how many to add, from 1
 * @param nowMs for tests; Redis's clock otherwise
 * @returns how many there are now
 */
export async function countEvents(counter: Counter, events: number, nowMs?: number): Promise<number> {
  const { metric, windowSec, kind, value } = counter;
  const key = keys.riskCount(metric, windowSec, kind, value);
  return countIn(
    await runScript(cacheRedis(), 'count-events-1', [key], [windowSec * 1000, events, nowMs ?? '']),
  );
}

/** Returns the number in a counting script's reply. @throws on any other reply. */
export function countIn([status, count]: string[]): number {
  if (status !== 'counted' || !/^\d+$/.test(count ?? ''))
    throw new Error(`unknown reply: ${status} ${count}`);
  return Number(count);
}
