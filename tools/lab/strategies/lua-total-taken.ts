import { luaScript } from '../support/lua';
import { placeOrder, redisContestant, STOCK_KEY } from '../support/redis-contestant';
import type { Strategy } from '../types';

const take = luaScript('take-1');

/**
 * Lua, total and taken in one hash: the script compares taken + k with the total and increases taken by k.
 *
 * Right, for any quantity, and the total can be raised while the sale runs. A second command still records the order.
 */
export const luaTotalTaken: Strategy = {
  name: 'lua-total-taken',
  title: 'Lua: total and taken in a hash',
  source:
    'Alibaba Cloud documentation, "Use ApsaraDB for Redis to build a business system for flash sales" (63920)',
  isCorrect: true,
  processes: 2,
  create: (stores) =>
    redisContestant(stores, {
      load: (redis, units) => redis.hset(STOCK_KEY, { total: units, taken: 0 }),
      prepare: take.load,
      async attempt(redis, userId) {
        const stockAfter = await take.run(redis, STOCK_KEY, 1);
        if (stockAfter < 0) return { answer: 'sold_out' };
        await placeOrder(redis, userId);
        return { answer: 'accepted', stockAfter };
      },
      async readStock(redis) {
        const [total, taken] = (await redis.hmget(STOCK_KEY, 'total', 'taken')).map(Number);
        return (total ?? 0) - (taken ?? 0);
      },
    }),
};
