import type { Redis } from 'ioredis';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { loadArguments } from '@/lib/stock/load-stock';
import { purchaseKeys } from '@/lib/stock/purchase-together';
import { redisContestant } from '../support/redis-contestant';
import type { Strategy } from '../types';

const HOUR_MS = 3_600_000;
export const SALE_ID = 'lab';
export const GATE = 'gate_of_the_lab';
export const EPOCH = 1;
const SALE_KEYS = purchaseKeys(SALE_ID);

let issued = 0;

/** Makes an order number that is unique among all racing processes: up to 18 digits, like the product's. */
export function nextOrderNo(): string {
  issued += 1;
  return `${process.pid}${String(issued).padStart(9, '0')}`;
}

/** Loads a sale of the product with as many units, open now. */
export function loadSale(redis: Redis, units: number): Promise<string[]> {
  const startsAt = Date.now() - HOUR_MS;
  const tiers = { total: units, available: units, held: 0, sold: 0 };
  const rules = { startsAt, endsAt: startsAt + 2 * HOUR_MS, paused: false, limit: 1 };
  const loadKeys = [keys.sale(SALE_ID), keys.buyers(SALE_ID), keys.stagedBuyers(SALE_ID, 'none')];
  const args = loadArguments({ saleId: SALE_ID, epoch: EPOCH, gate: GATE, ...tiers, ...rules });
  return runScript(redis, 'load-3-n', loadKeys, args);
}

/**
 * Ours: the product's own purchase script. On top of check and deduct it compares window, pause, gate and epoch,
 * recognises the buyer (limit, replay), keeps three tiers and writes the order message in the same atomic step.
 *
 * Right, and there is no second command: a process that dies right after the script loses no unit and no order.
 */
export const ours: Strategy = {
  name: 'ours',
  title: 'Ours: purchase-3-n.lua',
  source: 'lib/redis/scripts/purchase-3-n.lua',
  isCorrect: true,
  processes: 2,
  create: (stores) =>
    redisContestant(stores, {
      load: loadSale,
      async attempt(redis, userId) {
        const args = [EPOCH, `${GATE} ${userId} jti_${userId},${nextOrderNo()},1 0`];
        const [status, value] = await runScript(redis, 'purchase-3-n', SALE_KEYS, args);
        if (status === 'accepted') return { answer: 'accepted' };
        if (status === 'sold_out') return { answer: 'sold_out', stockAfter: Number(value) };
        throw new Error(`purchase-3-n answered ${status}`);
      },
      readStock: async (redis) => Number(await redis.hget(keys.sale(SALE_ID), 'available')),
      readOrders: (redis) => redis.xlen(keys.outbox(SALE_ID)),
    }),
};
