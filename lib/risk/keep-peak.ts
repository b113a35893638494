import 'server-only';
import { nowMs } from '@/lib/clock';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Counter } from './count-events';

const HOUR_MS = 3_600_000;
/** How far back a dry run looks. */
const PEAK_HOURS = 24;
/** Subjects kept per hour, those with the highest counts. */
const MOST_PEAKS = 1_000;
/** Counts below this share of the lowest threshold would tell a dry run nothing useful. */
const WORTH_KEEPING = 0.2;

/** Stores the highest count a subject reached within each hour, for dry runs, if it comes near a threshold. */
export async function keepPeak(counter: Counter, count: number, rules: readonly RiskRule[]): Promise<void> {
  const { metric, windowSec, kind, value } = counter;
  const thresholds = rules
    .filter(({ definition }) => definition.metric === metric && definition.subject === kind)
    .map(({ definition }) => definition.threshold);
  if (count < 2 || count < Math.min(...thresholds) * WORTH_KEEPING) return;
  const key = keys.riskPeaks(metric, windowSec, kind, Math.floor(nowMs() / HOUR_MS));
  const redis = cacheRedis();
  await Promise.all([
    redis.zadd(key, 'GT', count, value),
    redis.zremrangebyrank(key, 0, -MOST_PEAKS - 1),
    redis.pexpire(key, (PEAK_HOURS + 1) * HOUR_MS),
  ]);
}

/** Returns the highest counts of the running hour and the 24 before, one per subject and hour. */
export async function readPeaks({
  metric,
  windowSec,
  kind,
}: Omit<Counter, 'value'>): Promise<{ value: string; hour: number; count: number }[]> {
  const last = Math.floor(nowMs() / HOUR_MS);
  const hours = Array.from({ length: PEAK_HOURS + 1 }, (_, back) => last - back);
  const lists = await Promise.all(
    hours.map((hour) =>
      cacheRedis().zrevrange(keys.riskPeaks(metric, windowSec, kind, hour), 0, -1, 'WITHSCORES'),
    ),
  );
  return lists.flatMap((list, at) =>
    Array.from({ length: list.length / 2 }, (_, i) => ({
      value: list[i * 2] ?? '',
      hour: hours[at] ?? 0,
      count: Number(list[i * 2 + 1]),
    })),
  );
}
