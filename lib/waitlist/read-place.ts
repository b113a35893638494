import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';
import type { PlaceState } from './types';

/** A shopper's latest place and the sale's waitlist, read in one step. */
export type Standing = {
  /** Whether more people may join. */
  isOpen: boolean;
  waiting: number;
  epoch: number;
  place: (OwnPlace & { jti: string }) | null;
};

/**
 * Reads how a user stands, all as of one moment: else a sale that is loaded meanwhile would look like one in which the user has
 * no place.
 * @returns null: the sale is not loaded, or has no waitlist. @throws connection errors
 */
export async function readStanding(saleId: string, userId: string): Promise<Standing | null> {
  const replies = await stockRedis()
    .multi()
    .hmget(keys.sale(saleId), 'waitlist', 'epoch')
    .hmget(keys.places(saleId), userId)
    .zrank(keys.waitlist(saleId), userId)
    .zcard(keys.waitlist(saleId))
    .exec();
  const [sale, places, ahead, waiting] = (replies ?? []).map(([error, reply]) => {
    if (error) throw error;
    return reply;
  }) as [[string | null, string | null], [string | null], number | null, number];
  const [setting, epoch] = sale;
  if (!setting) return null;
  const list = { isOpen: setting === '1', waiting, epoch: Number(epoch) };
  const [text] = places;
  if (text === null) return { ...list, place: null };
  const { state, number, orderNo, jti } = parsePlace(text);
  const place = { state, number, orderNo, jti, ahead: state === 'waiting' ? ahead : null, waiting };
  return { ...list, place };
}

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

/** Reads how many wait for a unit of a sale. @throws connection errors */
export const countWaiting = (saleId: string): Promise<number> => stockRedis().zcard(keys.waitlist(saleId));
