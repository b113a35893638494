import { placeOrder, redisContestant, STOCK_KEY } from '../support/redis-contestant';
import type { Strategy } from '../types';

/**
 * Redis, DECR then check: `DECR stock`, and a buyer who gets a negative number is refused.
 *
 * Broken, though it never oversells: refused buyers still deduct. The counter ends as far below zero as there were
 * refusals. So a unit that comes back from an unpaid order (`INCR`) is never sold again, and the counter says nothing
 * about orders.
 */
export const redisDecrThenCheck: Strategy = {
  name: 'redis-decr-then-check',
  title: 'Redis: DECR, then check',
  source: 'Redis documentation, DECR: a missing or negative number is decremented like any other',
  isCorrect: false,
  flaw: 'drifts',
  processes: 2,
  create: (stores) =>
    redisContestant(stores, {
      async attempt(redis, userId) {
        const stockAfter = await redis.decr(STOCK_KEY);
        if (stockAfter < 0) return { answer: 'sold_out', stockAfter };
        await placeOrder(redis, userId);
        return { answer: 'accepted', stockAfter };
      },
    }),
};
