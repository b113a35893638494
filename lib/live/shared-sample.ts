import 'server-only';
import type { Live, LivePoint } from '@/lib/contract/shapes/live';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { toPoint } from './to-point';

/** If the counting process dies, another takes over after this long. */
const TURN_MS = 2_500;
/** An older sample no longer shows the present, so Redis drops it. */
const SAMPLE_MS = 5_000;
/** Fifteen minutes of seconds. */
export const MAX_POINTS = 900;
const POINTS_MS = MAX_POINTS * 1_000;

/**
 * Takes or keeps the turn to count; tells whether this process has it. A process keeps it until it stops asking. Not
 * atomic, and it need not be: if two processes ever think they have it, a second is counted twice.
 * @param me a name that no other process has
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

/** Gives all processes the sample that this one has counted, and stores its point for drawing. */
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

/** Returns a sample that another process counted within the last seconds, or null. */
export async function readSample(saleId: string): Promise<Live | null> {
  const json = await cacheRedis().get(keys.liveSample(saleId));
  return json === null ? null : (JSON.parse(json) as Live);
}

/** Returns the stored points, oldest first: of the last 15 minutes in which a page was open. */
export async function readPoints(saleId: string): Promise<LivePoint[]> {
  const kept = await cacheRedis().lrange(keys.livePoints(saleId), 0, -1);
  return kept.map((json) => JSON.parse(json) as LivePoint);
}
