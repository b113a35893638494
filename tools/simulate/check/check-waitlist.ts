import { keys } from '@/lib/redis/keys';
import { parsePlace } from '@/lib/waitlist/parse-place';
import { SALE_ID, type World } from '../world';
import type { Violate } from './violate';

const TOLD = ['waitlist_given', 'draw_won'];

/**
 * Checks invariant 6 for those who wait: no unit is free while somebody waits, every place that was told waits, has become an
 * order, was left or passed over; none is there twice; and whoever has got a unit was told so, once.
 */
export function checkWaitlist(world: World, violate: Violate): void {
  if (!world.hasWaitlist) return;
  const { redis, postgres, stock } = world;
  const waiting = redis.zrange(keys.waitlist(SALE_ID));
  const { available } = stock.tiers(SALE_ID);
  const sale = postgres.sales.get(null, SALE_ID);
  // A sale that is paused or closed gives nothing.
  const isSelling = sale?.status === 'published' && !sale.paused;
  if (isSelling && waiting.length > 0 && available > 0)
    violate(6, `${available} units are free while ${waiting.length} wait`);
  const numbers = new Set<number>();
  for (const [userId, number] of waiting) {
    if (numbers.has(number)) violate(6, `two wait at place ${number}`);
    numbers.add(number);
    const row = postgres.places.get(null, `${SALE_ID} ${number}`);
    if (row && row.userId !== userId)
      violate(6, `place ${number} is ${row.userId}'s in Postgres and ${userId}'s in Redis`);
  }
  checkTold(world, violate);
  checkNoted(world, violate);
}

/** What shoppers heard of their places is true. */
function checkTold(world: World, violate: Violate): void {
  const { redis, ledger } = world;
  const places = redis.hash(keys.places(SALE_ID));
  for (const { userId, number, orderNo, askedToLeaveAt, leftAt } of ledger.places.values()) {
    const text = places?.get(userId);
    const place = text === undefined ? null : parsePlace(text);
    const isWaiting = place?.orderNo === orderNo && place.number === number && place.state === 'waiting';
    const order = world.postgres.orders.get(null, orderNo);
    if (askedToLeaveAt === null && !isWaiting && !order && !isSettled(world, orderNo))
      violate(6, `place ${number} of ${userId} is lost`);
    if (leftAt !== null && isWaiting) violate(6, `${userId} has left place ${number} and waits`);
    const isLate = order !== null && leftAt !== null && order.acceptedAt > leftAt;
    if (isLate && !world.injected['redis older'])
      violate(6, `${userId} had left place ${number} and got ${orderNo}`);
  }
}

/** Tells whether a place has ended without an order. */
function isSettled({ postgres }: World, orderNo: string): boolean {
  const isGivenUp = postgres.letters.find(null, (letter) => letter.orderNo === orderNo).length > 0;
  const rows = postgres.places.find(null, (row) => row.orderNo === orderNo);
  return isGivenUp || rows.some(({ passedAt }) => passedAt !== null);
}

/** Postgres knows which places have become orders, and has a message for each in each of the two ways of telling. */
function checkNoted({ postgres }: World, violate: Violate): void {
  for (const { number, orderNo, givenAt, leftAt, passedAt } of postgres.places.find(null, () => true)) {
    const hasOrder = postgres.orders.get(null, orderNo) !== null;
    if (givenAt !== null && !hasOrder) violate(6, `place ${number} counts as given and has no order`);
    if (hasOrder && [givenAt, leftAt, passedAt].every((at) => at === null))
      violate('rest', `place ${number} has an order, which nobody has noted`);
    const told = postgres.messages.find(
      null,
      ({ payload }) => TOLD.includes(String(payload.kind)) && payload.orderNo === orderNo,
    );
    if (told.length !== (givenAt === null ? 0 : 2))
      violate(6, `${told.length} messages tell of place ${number}, given ${givenAt !== null}`);
  }
}
