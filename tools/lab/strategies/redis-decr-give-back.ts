import { placeOrder, redisContestant, STOCK_KEY } from '../support/redis-contestant';
import type { Strategy } from '../types';

/**
 * Redis, DECR then check, with give-back: a buyer who gets a negative number adds the unit again with `INCR`. Broken,
 * less visibly: the counter dips below zero while refusals are under way. A unit that comes back during the dip is
 * refused to a buyer, and a process that dies between the two commands loses its unit.
 */
export const redisDecrGiveBack: Strategy = {
  name: 'redis-decr-give-back',
  title: 'Redis: DECR, check, give back',
  source: 'Redis documentation, Transactions: commands of one client may be interleaved with those of others',
  isCorrect: false,
  flaw: 'drifts',
  processes: 2,
  create: (stores) =>
    redisContestant(stores, {
      async attempt(redis, userId) {
        const stockAfter = await redis.decr(STOCK_KEY);
        if (stockAfter < 0) {
          await redis.incr(STOCK_KEY);
          return { answer: 'sold_out', stockAfter };
        }
        await placeOrder(redis, userId);
        return { answer: 'accepted', stockAfter };
      },
    }),
};
