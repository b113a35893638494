import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { cancelOrder } from '@/lib/order/cancel-order';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readState } from '@/lib/sale/read-state';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { drainOutbox } from './testing/drain-outbox';
import { makeBuyers, startFallbackWorker } from './testing/fallback-fixture';
import { brokenIn, buyPatiently, isIn, open, ordersOf, tokenOf } from './testing/fallback-sale';

let redis: StockRedis;
beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  await redis.stop();
});

it('[J4 C2 C5] what a shopper and a merchant see while Redis is away, and after', async () => {
  const sale = await open(12);
  const { saleId, merchant } = sale;
  const [ada = '', ben = '', cyd = '', ...rest] = await makeBuyers(12);
  const adas = tokenOf(sale, ada);
  const first = await buyPatiently(sale, adas);
  expect(first.http).toBe(202);
  const stop = startFallbackWorker(saleId, false);
  await redis.kill();
  await isIn(saleId, 'database');

  // Redis accepted the purchase and the relay never took it. The process that answered has written it.
  await expect
    .poll(async () => (await ordersOf(saleId)).map(({ id, status }) => `${id} ${status}`), { interval: 20 })
    .toEqual([`${first.orderNo} pending_payment`]);
  expect(await buyPatiently(sale, adas)).toMatchObject({ http: 202, orderNo: first.orderNo, replay: true });
  expect(await buyPatiently(sale, tokenOf(sale, ada))).toMatchObject({ http: 409, code: 'LIMIT_REACHED' });
  expect(await buyPatiently(sale, tokenOf(sale, ben))).toMatchObject({ http: 202 });
  await expect
    .poll(async () => JSON.parse((await readState(saleId)).body.toString()), { interval: 20 })
    .toMatchObject({ status: 'live', gate: sale.gate, stock: { total: 12, available: 10 } });
  expect(await restockSale(merchant, saleId, -1)).toMatchObject({
    stock: { total: 11, available: 9, held: 2 },
  });
  expect(await cancelOrder(ada, first.orderNo ?? '')).toMatchObject({ status: 'cancelled' });
  for (const userId of rest)
    expect(await buyPatiently(sale, tokenOf(sale, userId))).toMatchObject({ http: 202 });
  expect(await buyPatiently(sale, tokenOf(sale, cyd))).toMatchObject({ http: 202 });
  expect(await buyPatiently(sale, tokenOf(sale, ada))).toMatchObject({
    http: 409,
    code: 'SOLD_OUT',
    available: 0,
  });
  expect(await brokenIn(saleId)).toEqual([]);

  await redis.start();
  await isIn(saleId, 'redis');
  expect(await buyPatiently(sale, tokenOf(sale, ada))).toMatchObject({ http: 409, code: 'SOLD_OUT' });
  expect(await buyPatiently(sale, adas)).toMatchObject({ http: 202, orderNo: first.orderNo, replay: true });
  await drainOutbox(saleId);
  expect(await brokenIn(saleId)).toEqual([]);
  const look = await reconcileSale(saleId, { cause: 'demand', isRepairing: false, graceMs: 500 });
  expect(look).toMatchObject({ status: 'done', report: { found: 0 } });
  // Adds a held unit that no shopper has. The repair loads the sale again, and that goes through Postgres too.
  await stockRedis().hincrby(keys.sale(saleId), 'held', 1);
  const repaired = await reconcileSale(saleId, { cause: 'demand', isRepairing: true, graceMs: 100 });
  expect(repaired).toMatchObject({ report: { found: expect.any(Number), ok: true } });
  expect(await brokenIn(saleId)).toEqual([]);
  await stop();
});
