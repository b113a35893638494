import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import { scoresOf } from './score';
import type { Place } from './types';

/**
 * Reads the first who wait for a unit of a variant, in their order.
 * @param variant 0: the sale has none. @param most people, 1 or more. @throws connection errors
 */
export async function readFirst(
  saleId: string,
  variant: number,
  most: number,
): Promise<Pick<Place, 'userId' | 'orderNo'>[]> {
  const redis = stockRedis();
  const userIds = await redis.zrangebyscore(keys.waitlist(saleId), ...scoresOf(variant), 'LIMIT', 0, most);
  if (userIds.length === 0) return [];
  const texts = await redis.hmget(keys.places(saleId), ...userIds);
  return userIds.flatMap((userId, at) => {
    const text = texts[at];
    return text ? [{ userId, orderNo: parsePlace(text).orderNo }] : [];
  });
}
