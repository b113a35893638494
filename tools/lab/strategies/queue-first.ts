import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { closeRedis, openRedis, redisContestant } from '../support/redis-contestant';
import type { Attempt, Stores, Strategy } from '../types';
import { EPOCH, GATE, loadSale, nextOrderNo, SALE_ID } from './ours';

const DECIDED = 'lab:decided';
/** As `lib/queue-strategy/run-queues.ts` does. */
const LOOK_MS = 15;
const MOST = 250;
const ENQUEUE_KEYS = [keys.sale, keys.buyers, keys.queue, keys.limits, keys.reserved, keys.asked].map((of) =>
  of(SALE_ID),
);
const DECIDE_KEYS = [keys.sale, keys.buyers, keys.outbox, keys.queue, keys.asked].map((of) => of(SALE_ID));

type Waiting = Map<string, (attempt: Attempt) => void>;

/** Takes the answers out of what some process has decided: "epoch userId jti,orderNo,units ip device answer …". */
function tell(waiting: Waiting, decided: string): void {
  for (const line of decided.split('\n')) {
    const [, , bought = '', , , answer, value] = line.split(' ');
    const [, orderNo = ''] = bought.split(',');
    const sold: Attempt = { answer: 'sold_out', stockAfter: Number(value) };
    waiting.get(orderNo)?.(answer === 'accepted' ? { answer: 'accepted' } : sold);
    waiting.delete(orderNo);
  }
}

/** Decides what waits and tells all processes, until `signal` fires. */
async function decide(redis: Redis, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const decided = (await runScript(redis, 'decide-queue-5', DECIDE_KEYS, [MOST])).join(' ');
    if (decided === 'none' || decided === 'unknown_sale') await delay(LOOK_MS);
    else await redis.publish(DECIDED, decided);
  }
}

function create(stores: Stores) {
  const told = openRedis(stores.redisUrl);
  const waiting: Waiting = new Map();
  const stopping = new AbortController();
  let deciding = Promise.resolve();
  return redisContestant(stores, {
    load: loadSale,
    async prepare(redis) {
      await told.subscribe(DECIDED);
      told.on('message', (_channel, decided) => tell(waiting, decided));
      deciding = decide(redis, stopping.signal);
      // Nothing awaits this promise before the end; the error is still thrown there.
      deciding.catch(() => {});
    },
    async attempt(redis, userId) {
      const orderNo = nextOrderNo();
      const answer = new Promise<Attempt>((resolve) => waiting.set(orderNo, resolve));
      const args = [`${EPOCH} 1000000`, `${GATE} ${userId} jti_${userId},${orderNo},1 0 0 - -`];
      const [status, value] = await runScript(redis, 'enqueue-3-n', ENQUEUE_KEYS, args);
      if (status === 'queued') return answer;
      waiting.delete(orderNo);
      if (status === 'sold_out') return { answer: 'sold_out', stockAfter: Number(value) };
      throw new Error(`enqueue-3-n answered ${status}`);
    },
    readStock: async (redis) => Number(await redis.hget(keys.sale(SALE_ID), 'available')),
    readOrders: (redis) => redis.xlen(keys.outbox(SALE_ID)),
    async tearDown() {
      stopping.abort();
      await deciding;
      await closeRedis(told);
    },
  });
}

/**
 * Queue first, by the product's own scripts: one queues the purchase, another decides the oldest 250 in one atomic step, by
 * the rules of the purchase script. Each web process runs both. Right, in the order in which purchases came, and no
 * consumer's death holds it up. Its price: everybody queues, and the answer comes milliseconds later.
 */
export const queueFirst: Strategy = {
  name: 'queue-first',
  title: 'Queue first: decide-queue-5.lua',
  source: 'lib/redis/scripts/decide-queue-5.lua',
  isCorrect: true,
  processes: 2,
  create,
};
