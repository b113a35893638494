import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { verifySale } from '@/lib/desk/verify/verify-sale';
import { newId } from '@/lib/ids/new-id';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { type LaneProcess, startLane } from '@/lib/server/testing/start-lane';
import { sendPurchase, tokenFor } from '@/lib/server/testing/send-purchase';
import { makeSale } from '@/test/support/make-sale';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { guardStock } from './guard-stock';
import { tendFallbacks } from './tend-fallbacks';
import { drainOutbox } from './testing/drain-outbox';

const FLIPS = 10;

let redis: StockRedis;
let lanes: LaneProcess[] = [];
beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
  expect(await stockRedis().ping()).toBe('PONG');
  lanes = await Promise.all([startLane(), startLane()]);
});
afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.stop()));
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

async function makeBuyers(count: number): Promise<string[]> {
  const userIds = Array.from({ length: count }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  return userIds;
}

const modeOf = async (saleId: string) =>
  (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).stockMode;

/** What a worker does, until told to stop; a Redis that is away is no news here. */
function startWorker(saleId: string): () => Promise<void> {
  let isStopped = false;
  const loop = async (everyMs: number, job: () => Promise<unknown>) => {
    while (!isStopped) {
      await job().catch(() => undefined);
      await delay(everyMs);
    }
  };
  const loops = [loop(100, tendFallbacks), loop(500, guardStock), loop(20, () => drainOutbox(saleId))];
  return async () => {
    isStopped = true;
    await Promise.all(loops);
  };
}

it('[J4 C2 C6] Redis is killed ten times while two processes sell: nothing is oversold, every 202 stays an order', async () => {
  const { sale } = await makeSale({ onStockOutage: 'database', totalStock: 100_000, limitPerUser: 1 });
  const { saleId } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const stopWorker = startWorker(saleId);
  const told = new Map<string, string>();
  const count = { redis: 0, database: 0 };
  let isOver = false;
  const shopper = async (at: number) => {
    while (!isOver) {
      const [userId = ''] = await makeBuyers(1);
      const token = tokenFor(saleId, userId);
      for (let attempt = 0; !isOver; attempt += 1) {
        const lane = lanes[(at + attempt) % 2] as LaneProcess;
        const { status, body } = await sendPurchase(lane.origin, { saleId, gate }, token);
        if (status === 202) {
          told.set(String(body.orderNo), userId);
          break;
        }
        expect(status).toBe(503);
        await delay(50);
      }
    }
  };
  const load = Promise.all(Array.from({ length: 8 }, (_, at) => shopper(at)));
  for (let flip = 0; flip < FLIPS; flip += 1) {
    const t0 = performance.now();
    const before = told.size;
    await redis.kill();
    await expect.poll(() => modeOf(saleId), { timeout: 20_000, interval: 20 }).toBe('database');
    const t1 = performance.now();
    const sold = told.size;
    await expect.poll(() => told.size - sold, { timeout: 20_000, interval: 20 }).toBeGreaterThan(10);
    await redis.start();
    const t2 = performance.now();
    await expect.poll(() => modeOf(saleId), { timeout: 20_000, interval: 20 }).toBe('redis');
    const t3 = performance.now();
    const again = told.size;
    await expect.poll(() => told.size - again, { timeout: 20_000, interval: 20 }).toBeGreaterThan(10);
    console.info(flip, Math.round(t1 - t0), Math.round(t2 - t1), Math.round(t3 - t2), Math.round(performance.now() - t3), before, told.size);
  }
  isOver = true;
  await load;
  await expect.poll(async () => stockRedis().xlen(`sale:{${saleId}}:outbox`), { timeout: 20_000 }).toBe(0);
  await stopWorker();
  const rows = await db().order.findMany({ where: { saleId } });
  const status = new Map(rows.map((row) => [String(row.id), row.status]));
  expect([...told.keys()].filter((orderNo) => status.get(orderNo) !== 'pending_payment')).toEqual([]);
  const verified = await verifySale(saleId, { settleMs: 1_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
  console.info(rows.length, rows.filter(({ status }) => status === 'failed').length, count);
}, 240_000);
