import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { sendPurchase, tokenFor } from '@/lib/server/testing/send-purchase';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeSale } from '@/test/support/make-sale';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { makeBuyers, placeNow, startFallbackWorker } from './testing/fallback-fixture';

const TOTAL = 4_000;
const SHOPPERS = 8;
/** Units left over for the end, so that the sale sells out. */
const LEFT = 25;

let redis: StockRedis;
let webs: FastPathProcess[] = [];
beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
  webs = await Promise.all([startFastPath(), startFastPath()]);
});
afterAll(async () => {
  await Promise.all(webs.map((web) => web.stop()));
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

it('[J4 C2 C6] Redis goes ten times while two processes sell: nothing is oversold, every 202 is an order and stays one', async () => {
  const options = { onStockOutage: 'database', totalStock: TOTAL, limitPerUser: 1 };
  const { sale, merchant } = await makeSale(options);
  const { saleId } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const buyers = await makeBuyers(TOTAL);
  const stopWorker = startFallbackWorker(saleId);

  /** Numbers of the orders that got a 202. */
  const told: string[] = [];
  const shopper = async (at: number) => {
    for (;;) {
      const token = tokenFor(saleId, buyers.pop() ?? '');
      for (let attempt = at; ; attempt += 1) {
        const web = webs[attempt % webs.length] as FastPathProcess;
        const { status, body, raw } = await sendPurchase(web.origin, { saleId, gate }, token);
        if (body.code === 'SOLD_OUT') return;
        if (status === 202) {
          told.push(String(body.orderNo));
          break;
        }
        expect(body).toMatchObject({ code: 'STOCK_UNAVAILABLE', retryAfterMs: expect.any(Number) });
        expect(Number(raw.headers['retry-after'])).toBeGreaterThan(0);
        await delay(30);
      }
      await delay(10);
    }
  };
  const shoppers = Promise.all(Array.from({ length: SHOPPERS }, (_, at) => shopper(at)));
  const sellsOn = async () => {
    const before = told.length;
    await expect.poll(() => told.length - before, { interval: 20 }).toBeGreaterThan(SHOPPERS);
  };
  const isIn = (mode: string) =>
    expect.poll(async () => (await placeNow(saleId))?.mode, { interval: 20 }).toBe(mode);

  await sellsOn();
  for (let flip = 0; flip < 5; flip += 1) {
    // This outage is long enough that Postgres takes over.
    await redis.kill();
    await isIn('database');
    await sellsOn();
    await redis.start();
    await isIn('redis');
    await sellsOn();
    // This one is so short that only Redis's new start is noticed. In two of the five rounds Redis has lost all it
    // held.
    const { epoch = 0 } = (await placeNow(saleId)) ?? {};
    await redis.kill();
    await redis.start(flip % 2 === 1);
    await expect.poll(async () => (await placeNow(saleId))?.epoch, { interval: 20 }).toBeGreaterThan(epoch);
    await isIn('redis');
    await sellsOn();
  }

  const available = async () =>
    (await db().sale.findUniqueOrThrow({ where: { id: saleId } })).totalStock - told.length;
  const tooMany = async () => (await available()) - SHOPPERS - LEFT;
  await expect
    .poll(async () => (await restockSale(merchant, saleId, -(await tooMany()))).status, { interval: 20 })
    .toBe('restocked');
  await shoppers;
  await expect.poll(async () => (await readOutboxDepth(saleId)).depth, { interval: 20 }).toBe(0);
  await stopWorker();

  const { totalStock, heldStock } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const rows = await db().order.findMany({ where: { saleId, status: 'pending_payment' } });
  expect(rows.map(({ id }) => String(id)).sort()).toEqual(told.sort());
  expect([told.length, heldStock]).toEqual([totalStock, totalStock]);
  const verified = await verifySale(saleId, { settleMs: 1_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
  expect(await stockRedis().ping()).toBe('PONG');
});
