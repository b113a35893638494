import 'server-only';
import type { Live, LivePoint } from '@/lib/contract/shapes/live';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { toPoint } from './to-point';

/** A process that dies while it counts is replaced after this long. */
const TURN_MS = 2_500;
/** An older sample is nobody's present. */
const SAMPLE_MS = 5_000;
/** Fifteen minutes of seconds. */
export const MAX_POINTS = 900;
const POINTS_MS = MAX_POINTS * 1_000;

/**
 * Whether it is this process that counts, as it stays until it stops asking. Not atomic, and need not be: should two ever
 * think so, a second is counted twice.
 * @param me what nobody else is called
 */
export async function takeTurn(saleId: string, me: string): Promise<boolean> {
  const redis = cacheRedis();
  const key = keys.liveTurn(saleId);
  const [, holder] = await Promise.all([redis.set(key, me, 'PX', TURN_MS, 'NX'), redis.get(key)]);
  if (holder !== me) return false;
  await redis.pexpire(key, TURN_MS);
  return true;
}

/** Lets another process count at once. */
export async function leaveTurn(saleId: string, me: string): Promise<void> {
  const key = keys.liveTurn(saleId);
  if ((await cacheRedis().get(key)) === me) await cacheRedis().del(key);
}

/** Gives every process what one has counted, and keeps what is drawn of it. */
export async function shareSample(live: Live): Promise<void> {
  const { saleId } = live.sale;
  const points = keys.livePoints(saleId);
  await cacheRedis()
    .multi()
    .set(keys.liveSample(saleId), JSON.stringify(live), 'PX', SAMPLE_MS)
    .rpush(points, JSON.stringify(toPoint(live)))
    .ltrim(points, -MAX_POINTS, -1)
    .pexpire(points, POINTS_MS)
    .exec();
}

/** What another process has counted within the last seconds, or null. */
export async function readSample(saleId: string): Promise<Live | null> {
  const json = await cacheRedis().get(keys.liveSample(saleId));
  return json === null ? null : (JSON.parse(json) as Live);
}

/** What was kept for drawing, the oldest first; of the last 15 minutes that somebody looked. */
export async function readPoints(saleId: string): Promise<LivePoint[]> {
  const kept = await cacheRedis().lrange(keys.livePoints(saleId), 0, -1);
  return kept.map((json) => JSON.parse(json) as LivePoint);
}
