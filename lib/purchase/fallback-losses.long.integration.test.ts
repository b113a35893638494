import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { verifyEntryToken } from '@/lib/entry/verify-entry-token';
import { leaveRedis } from '@/lib/fallback/records/change-mode';
import { rereadAndSettle } from '@/lib/fallback/stock-place';
import { closeRedis } from '@/lib/redis/client';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import { type StallableProxy, startStallableProxy } from '@/lib/server/testing/stallable-proxy';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { type StockRedis, startStockRedis } from '@/test/support/start-stock-redis';
import { sell } from './sell';
import { drainOutbox } from './testing/drain-outbox';
import { makeBuyers, placeNow, startFallbackWorker } from './testing/fallback-fixture';
import { brokenIn, buy, buyPatiently, isIn, open, ordersOf, tokenOf } from './testing/fallback-sale';

let redis: StockRedis;
/** Two web processes: for one the test can cut the way to Postgres, the other one it kills. */
let proxy: StallableProxy;
let fastPaths: { cutOff: FastPathProcess; doomed: FastPathProcess };
beforeAll(async () => {
  redis = await startStockRedis();
  process.env.REDIS_URL = redis.url;
  proxy = await startStallableProxy(process.env.DATABASE_URL ?? '');
  const [cutOff, doomed] = await Promise.all([
    startFastPath({ env: { DATABASE_URL: proxy.url } }),
    startFastPath(),
  ]);
  fastPaths = { cutOff, doomed };
});
afterAll(async () => {
  await Promise.all(Object.values(fastPaths).map((fastPath) => fastPath.stop()));
  await Promise.all([closeRedis(), closeDb()]);
  await proxy.stop();
  await redis.stop();
});

const rowOf = (saleId: string) => db().sale.findUniqueOrThrow({ where: { id: saleId } });

it('[J4] a process killed together with Redis: what it may have promised stays out of reach, and turns up again', async () => {
  const sale = await open(24, 2);
  const { saleId } = sale;
  const [ada = '', ben = '', ...others] = await makeBuyers(34);
  const [adas, bens] = [tokenOf(sale, ada), tokenOf(sale, ben)];
  const first = await buyPatiently(sale, adas, fastPaths.doomed);
  const bensFirst = await buyPatiently(sale, bens, fastPaths.doomed);
  expect([first.http, bensFirst.http]).toEqual([202, 202]);
  const promised = (await db().stockAllocation.findFirstOrThrow({ where: { saleId } })).granted;
  expect(promised).toBeGreaterThanOrEqual(2);
  fastPaths.doomed.child.kill('SIGKILL');
  await redis.kill();
  const stop = startFallbackWorker(saleId, false);
  await isIn(saleId, 'database');
  expect(await rowOf(saleId)).toMatchObject({ stockMargin: promised, heldStock: 0 });

  // No living process knows of Ada's purchase. She buys with the same token again, and keeps the order of this
  // answer.
  const second = await buyPatiently(sale, adas);
  expect(second).toMatchObject({ http: 202, replay: false });
  let sold = 1;
  for (const userId of others) {
    const { http, code } = await buyPatiently(sale, tokenOf(sale, userId));
    if (http === 409) {
      expect(code).toBe('SOLD_OUT');
      break;
    }
    sold += 1;
  }
  expect(sold).toBe(24 - promised);
  expect(await readDatabaseStock(saleId)).toMatchObject({ available: 0, held: 24, total: 24 });

  await redis.start();
  await isIn(saleId, 'redis');
  const status = new Map((await ordersOf(saleId)).map((row) => [String(row.id), row.status]));
  expect(status.get(second.orderNo ?? '')).toBe('pending_payment');
  expect(status.get(bensFirst.orderNo ?? '')).toBe('pending_payment');
  expect(status.get(first.orderNo ?? '') ?? 'failed').toBe('failed');
  expect(await db().deadLetter.count({ where: { saleId, resolvedAt: null } })).toBe(0);
  expect(await buyPatiently(sale, bens)).toMatchObject({
    http: 202,
    orderNo: bensFirst.orderNo,
    replay: true,
  });
  // The units of the killed process's allocation that it had not sold are sold now.
  for (const userId of others.slice(-(promised - 1)))
    expect(await buyPatiently(sale, tokenOf(sale, userId))).toMatchObject({ http: 202 });
  expect(await buyPatiently(sale, tokenOf(sale, ada))).toMatchObject({ code: 'SOLD_OUT' });
  await drainOutbox(saleId);
  expect(await rowOf(saleId)).toMatchObject({ heldStock: 24, stockMargin: 0 });
  expect(await brokenIn(saleId)).toEqual([]);
  await stop();
});

it('[J4] a process that Postgres can not reach sells what it was granted and no more', async () => {
  const sale = await open(24);
  const { saleId } = sale;
  const buyers = await makeBuyers(60);
  const token = () => tokenOf(sale, buyers.pop() ?? '');
  expect(await buyPatiently(sale, token(), fastPaths.cutOff)).toMatchObject({ http: 202 });
  proxy.stall();
  const { granted } = await db().stockAllocation.findFirstOrThrow({ where: { saleId } });
  let accepted = 1;
  for (;;) {
    const next = token();
    let { http } = await buy(sale, next, fastPaths.cutOff);
    // Asks a second time: a single hiccup must not end the loop.
    if (http === 503) ({ http } = await buy(sale, next, fastPaths.cutOff));
    if (http === 503) break;
    expect(http).toBe(202);
    accepted += 1;
  }
  expect(accepted).toBe(granted);

  // The cut-off process does not hear that the sale has gone over to Postgres, and Redis would still sell.
  const { epoch = 0 } = (await placeNow(saleId)) ?? {};
  expect(await leaveRedis(saleId, epoch)).toBe(true);
  expect(await buy(sale, token(), fastPaths.cutOff)).toMatchObject({ http: 503 });
  const stop = startFallbackWorker(saleId, false);
  await isIn(saleId, 'redis');
  proxy.resume();
  const told = [];
  for (;;) {
    const answer = await buyPatiently(sale, token());
    if (answer.http !== 202) break;
    told.push(answer.orderNo);
  }
  await drainOutbox(saleId);
  expect(told).toHaveLength(24 - granted);
  expect(await ordersOf(saleId)).toHaveLength(24);
  expect(await brokenIn(saleId)).toEqual([]);
  await stop();
});

it('[J4 F2] a purchase that hung in Redis and was made again through Postgres is one order, the one that was told', async () => {
  const sale = await open(30, 3);
  const { saleId } = sale;
  const [ada = '', ben = ''] = await makeBuyers(2);
  expect(await buyPatiently(sale, tokenOf(sale, ben))).toMatchObject({ http: 202 });
  await drainOutbox(saleId);
  const stop = startFallbackWorker(saleId, false);
  const adas = tokenOf(sale, ada);
  const entry = verifyEntryToken(adas, saleId, Date.now());
  const info = await findSaleInfo(saleId);
  if (!info || entry.status !== 'valid') throw new Error('a sale and a token expected');
  redis.freeze();
  const { epoch, endsAt } = info;
  const hanging = sell(
    info,
    { ...entry.claims, saleId, epoch, endsAt, gate: sale.gate, quantity: 1 },
    { userId: ada, address: null },
  );
  // The answer to an outage is 503, and the outcome is open.
  await expect(hanging).rejects.toThrow(/timed out/);
  await isIn(saleId, 'database');
  // The outcome of the hanging purchase is unknown, so its unit stays counted.
  await rereadAndSettle(saleId);
  expect(await db().stockAllocation.findFirstOrThrow({ where: { saleId } })).toMatchObject({ accepted: 2 });
  const told = await buyPatiently(sale, adas);
  expect(told).toMatchObject({ http: 202, replay: false });
  // Redis now reads the request that it was sent before it hung.
  redis.thaw();
  await isIn(saleId, 'redis');
  expect(await buyPatiently(sale, adas)).toMatchObject({ http: 202, orderNo: told.orderNo, replay: true });
  const adasOrders = (await ordersOf(saleId)).filter(({ userId }) => userId === ada);
  expect(adasOrders.filter(({ status }) => status === 'pending_payment').map(({ id }) => String(id))).toEqual(
    [told.orderNo],
  );
  await drainOutbox(saleId);
  expect(await rowOf(saleId)).toMatchObject({ heldStock: 2, stockMargin: 0 });
  expect(await db().deadLetter.count({ where: { saleId, resolvedAt: null } })).toBe(0);
  expect(await brokenIn(saleId)).toEqual([]);
  await stop();
});

it('[J4] Redis comes back and dies again while it is being filled: Postgres goes on, nothing is lost', async () => {
  const sale = await open(20);
  const { saleId } = sale;
  const buyers = await makeBuyers(8);
  const buyOne = async () => {
    const answer = await buyPatiently(sale, tokenOf(sale, buyers.pop() ?? ''));
    expect(answer.http).toBe(202);
    return String(answer.orderNo);
  };
  const told = [await buyOne(), await buyOne()];
  const stop = startFallbackWorker(saleId, false);
  await redis.kill();
  await isIn(saleId, 'database');
  told.push(await buyOne());
  await stop();
  // The sale is half way back, so neither store sells. Then Redis is gone again.
  await db().sale.update({ where: { id: saleId }, data: { stockMode: 'rebuilding' } });
  expect((await buy(sale, tokenOf(sale, buyers[0] ?? ''))).http).toBe(503);
  const again = startFallbackWorker(saleId, false);
  await isIn(saleId, 'database');
  told.push(await buyOne());
  await redis.start();
  await isIn(saleId, 'redis');
  told.push(await buyOne());
  await drainOutbox(saleId);
  const rows = await ordersOf(saleId);
  expect(rows.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
    told.map((orderNo) => `${orderNo} pending_payment`).sort(),
  );
  expect(await brokenIn(saleId)).toEqual([]);
  await again();
});
