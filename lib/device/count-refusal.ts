import 'server-only';
import { nowMs } from '@/lib/clock';
import type { DeviceRefusals } from '@/lib/contract/shapes/block';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { DeviceRefusal } from './identify-device';

const KEEP_SEC = 8 * 24 * 3600;

const today = () => keys.deviceRefusals(new Date(nowMs()).toISOString().slice(0, 10));

/**
 * Counts a device cookie that was not believed, by reason. Only the admin area reads the count; without Redis it goes
 * uncounted.
 */
export function countRefusal(why: DeviceRefusal): void {
  const key = today();
  const redis = cacheRedis();
  Promise.all([redis.hincrby(key, why, 1), redis.expire(key, KEEP_SEC)]).catch(() => {});
}

/** Returns how many device cookies were not believed today (UTC). */
export async function readRefusals(): Promise<DeviceRefusals> {
  const counts = await cacheRedis().hgetall(today());
  const count = (why: DeviceRefusal) => Number(counts[why] ?? 0);
  return { altered: count('altered'), expired: count('expired'), other_browser: count('other_browser') };
}
