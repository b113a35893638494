import { placeOrder, redisContestant } from '../support/redis-contestant';
import type { Strategy } from '../types';

const TOTAL_KEY = 'lab:{sale}:total';
const TAKEN_KEY = 'lab:{sale}:taken';

/**
 * Redis, check then INCR: `GET taken`, compare it with the total in the application, `INCR taken`.
 *
 * Broken: each command is atomic, the pair is not. All buyers who read before the first `INCR` may buy.
 */
export const redisCheckThenIncr: Strategy = {
  name: 'redis-check-then-incr',
  title: 'Redis: check, then INCR',
  source: 'Redis documentation, INCR: "Pattern: Rate limiter" warns of the same race',
  isCorrect: false,
  flaw: 'oversells',
  processes: 2,
  create(stores) {
    return redisContestant(stores, {
      load: (redis, units) => redis.mset(TOTAL_KEY, units, TAKEN_KEY, 0),
      async attempt(redis, userId) {
        const [total, taken] = (await redis.mget(TOTAL_KEY, TAKEN_KEY)).map(Number);
        const left = (total ?? 0) - (taken ?? 0);
        if (left <= 0) return { answer: 'sold_out', stockAfter: left };
        const now = await redis.incr(TAKEN_KEY);
        await placeOrder(redis, userId);
        return { answer: 'accepted', stockAfter: (total ?? 0) - now };
      },
      async readStock(redis) {
        const [total, taken] = (await redis.mget(TOTAL_KEY, TAKEN_KEY)).map(Number);
        return (total ?? 0) - (taken ?? 0);
      },
    });
  },
};
