import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import { scoresOf } from './score';
import type { PlaceState } from './types';

/**
 * A shopper's latest place, and the line it is in: that of its variant where the sale has some. `ahead` is null for a place that
 * no longer waits.
 */
export type OwnPlace = {
  state: PlaceState;
  number: number;
  orderNo: string;
  variant: number;
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
  const { state, number, orderNo, variant } = parsePlace(text);
  // Between two of the readings the place may have got its unit.
  if (state === 'waiting' && ahead === null) return readPlace(saleId, userId);
  const place = { state, number, orderNo, variant, ahead: state === 'waiting' ? ahead : null, waiting };
  if (variant === 0) return place;
  const [aheadOfVariant, waitingForVariant] = await Promise.all([
    redis.zcount(keys.waitlist(saleId), ...scoresOf(variant, number)),
    redis.zcount(keys.waitlist(saleId), ...scoresOf(variant)),
  ]);
  return { ...place, ahead: place.ahead === null ? null : aheadOfVariant, waiting: waitingForVariant };
}
