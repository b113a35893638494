import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import type { PlaceState } from './types';

/** A shopper's latest place, and the line it is in. `ahead` is null for a place that no longer waits. */
export type OwnPlace = {
  state: PlaceState;
  number: number;
  orderNo: string;
  ahead: number | null;
  waiting: number;
};

/** Reads a user's latest place as Redis has it; null: none, or it was left. @throws connection errors */
export async function readPlace(saleId: string, userId: string): Promise<OwnPlace | null> {
  const redis = stockRedis();
  const [text, ahead, waiting] = await Promise.all([
    redis.hget(keys.places(saleId), userId),
    redis.zrank(keys.waitlist(saleId), userId),
    redis.zcard(keys.waitlist(saleId)),
  ]);
  if (text === null) return null;
  const { state, number, orderNo } = parsePlace(text);
  // Between two of the readings the place may have got its unit.
  if (state === 'waiting' && ahead === null) return readPlace(saleId, userId);
  return { state, number, orderNo, ahead: state === 'waiting' ? ahead : null, waiting };
}
