import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parsePlace } from './parse-place';

/** A user's places as Redis has them. */
type Places = {
  /** The latest; null: none, or it was left. */
  place: ReturnType<typeof parsePlace> | null;
  /** Why the user was passed over; null: was not. */
  passedWhy: string | null;
  /** The number of the last place that the user gave up; null: none since the sale was loaded. */
  leftNumber: number | null;
};

/** Reads the places of users of a sale. @param userIds at most some thousands @returns one for each. @throws connection errors */
export async function readPlaces(saleId: string, userIds: readonly string[]): Promise<Places[]> {
  if (userIds.length === 0) return [];
  const fields = userIds.flatMap((userId) => [userId, `${userId} why`, `${userId} left`]);
  const texts = await stockRedis().hmget(keys.places(saleId), ...fields);
  return userIds.map((_, at) => {
    const [text = null, passedWhy = null, left = null] = texts.slice(3 * at, 3 * at + 3);
    return {
      place: text === null ? null : parsePlace(text),
      passedWhy,
      leftNumber: left === null ? null : Number(left),
    };
  });
}
