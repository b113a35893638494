import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { type Counter, countIn } from './count-events';

/** Bounds the members kept for one subject, about 100 bytes each; no rule needs to tell more of them apart. */
const MOST_MEMBERS = 10_000;

/**
 * Counts an order or account for a subject in an exact sliding window. Each counts once, however often it is
 * reported.
 * @param member order number or user id
 * @param atMs when it was; now if left out
 * @param nowMs for tests; Redis's clock otherwise
 * @returns how many different ones there are now, at most 10,000
 * @throws on another reply than `counted`
 */
export async function countMember(
  { metric, windowSec, kind, value }: Counter,
  member: string,
  atMs?: number,
  nowMs?: number,
): Promise<number> {
  const key = keys.riskCount(metric, windowSec, kind, value);
  const args = [windowSec * 1000, MOST_MEMBERS, nowMs ?? '', atMs ?? '', member];
  return countIn(await runScript(cacheRedis(), 'count-member-1', [key], args));
}
