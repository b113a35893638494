import { luaScript } from '../support/lua';
import { placeOrder, redisContestant, STOCK_KEY } from '../support/redis-contestant';
import type { Strategy } from '../types';

const deduct = luaScript('deduct-1');

/**
 * Lua, single key: one script reads the number, checks it and decrements it.
 *
 * Right: Redis runs a script to its end before anything else. But a second command records the order, so if the
 * process dies in between, the unit is taken and no order exists.
 */
export const luaSingleKey: Strategy = {
  name: 'lua-single-key',
  title: 'Lua: single key',
  source: 'Redis documentation, Scripting with Lua: atomicity of scripts',
  isCorrect: true,
  processes: 2,
  create: (stores) =>
    redisContestant(stores, {
      prepare: deduct.load,
      async attempt(redis, userId) {
        const stockAfter = await deduct.run(redis, STOCK_KEY);
        if (stockAfter < 0) return { answer: 'sold_out' };
        await placeOrder(redis, userId);
        return { answer: 'accepted', stockAfter };
      },
    }),
};
