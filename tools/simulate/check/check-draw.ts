import { keys } from '@/lib/redis/keys';
import { parsePlace } from '@/lib/waitlist/parse-place';
import { SALE_ID, type World } from '../world';
import type { Violate } from './violate';

/**
 * Checks a draw at rest: it was carried out, each place is the one that follows from the seed, nobody was passed over who had
 * not left, and whoever was drawn has an order, waits, or has left or been passed over since.
 */
export function checkDraw(world: World, violate: Violate): void {
  const { postgres, drawWatch, redis } = world;
  if (!drawWatch) return;
  const line = postgres.lines.get(null, SALE_ID);
  if (!line?.enlisted_at) violate('rest', 'the draw is not finished');
  for (const row of postgres.lineEntries.find(null, () => true)) {
    const { number, user_id: userId, place, passed_over: reason, left_at: leftAt, order_no: orderNo } = row;
    if (place !== null && place !== drawWatch.placeOf(number))
      violate(6, `number ${number} was drawn at place ${place}, the seed says ${drawWatch.placeOf(number)}`);
    if (reason !== null && (reason !== 'left' || leftAt === null))
      violate(6, `${userId} was passed over (${reason}) without a reason`);
    if (!line?.enlisted_at || reason !== null) continue;
    const waiting = redis.hash(keys.places(SALE_ID))?.get(userId);
    const waits = waiting !== undefined && parsePlace(waiting).orderNo === orderNo;
    const isSettled = orderNo !== null && hasEnded(world, orderNo);
    if (!waits && !isSettled)
      violate(6, `${userId} was drawn at place ${place} and has neither place nor order`);
  }
}

function hasEnded({ postgres }: World, orderNo: string): boolean {
  const isGivenUp = postgres.letters.find(null, (letter) => letter.orderNo === orderNo).length > 0;
  const ended = postgres.places.find(
    null,
    (row) => row.orderNo === orderNo && (row.passedAt !== null || row.leftAt !== null),
  );
  return isGivenUp || ended.length > 0 || postgres.orders.get(null, orderNo) !== null;
}
