import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Writes that a worker is there, with the time by the Redis clock. All workers write the same key: one is enough. */
export async function giveWorkerSign(): Promise<void> {
  const [seconds] = await timeAt(stockRedis(), keys.workerSign());
  await stockRedis().set(keys.workerSign(), Number(seconds));
}

/** Returns for how many ms no worker has given a sign; null if none ever has, or Redis has lost it. */
export async function readWorkerSilenceMs(): Promise<number | null> {
  const [redis, key] = [stockRedis(), keys.workerSign()];
  const [sign, [seconds]] = await Promise.all([redis.get(key), timeAt(redis, key)]);
  return sign === null ? null : Math.max(0, (Number(seconds) - Number(sign)) * 1_000);
}
