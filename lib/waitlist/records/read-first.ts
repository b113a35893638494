import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import type { Place } from './types';

/** Reads the first who wait for a unit of a sale, in their order. @param most people, 1 or more. @throws connection errors */
export async function readFirst(saleId: string, most: number): Promise<Pick<Place, 'userId' | 'orderNo'>[]> {
  const redis = stockRedis();
  const userIds = await redis.zrange(keys.waitlist(saleId), '0', String(most - 1));
  if (userIds.length === 0) return [];
  const texts = await redis.hmget(keys.places(saleId), ...userIds);
  return userIds.flatMap((userId, at) => {
    const text = texts[at];
    return text ? [{ userId, orderNo: parsePlace(text).orderNo }] : [];
  });
}
