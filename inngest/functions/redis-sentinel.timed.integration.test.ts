import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { shop, startCrowd } from '@/lib/purchase/testing/crowd';
import { keepGuarding } from '@/lib/purchase/testing/keep-guarding';
import { createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { subscribe } from '@/lib/redis/subscribe';
import { verifySale } from '@/lib/verify/verify-sale';
import { startSentinels, type TestSentinels } from '@/test/support/start-sentinels';
import { startStopwatch } from '@/test/support/stopwatch';
import { runFunctions } from './testing/run-functions';

let sentinels: TestSentinels;
let stopFunctions: (() => Promise<void>) | undefined;

beforeAll(async () => {
  sentinels = await startSentinels({ password: 'p@ss/word' });
  process.env.REDIS_URL = sentinels.url;
  stopFunctions = await runFunctions();
});
afterAll(async () => {
  await stopFunctions?.();
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
  await sentinels.stop();
});

it('[K1] a primary that is killed is replaced by Sentinels; the sale goes on, and nothing that was replicated is lost', async () => {
  const sale = await createSaleFixture({ total: 900, users: 900 });
  const messages: string[] = [];
  let gaps = 0;
  const heard = subscribe('stock:changed', {
    onMessage: (message) => messages.push(message),
    onGap: () => {
      gaps += 1;
    },
  });
  await expect.poll(() => heard.isListening()).toBe(true);
  const before = await shop(sale, sale.userIds[899] ?? '');
  expect(before.http).toBe(202);
  expect(await sentinels.admin(0).wait(1, 5_000)).toBe(1);

  const crowd = startCrowd(sale);
  await delay(300);
  const killedAt = performance.now();
  const oldPort = await sentinels.namedPort();
  await sentinels.kill(0);
  // The failover is over when the Sentinels name the new primary.
  await expect.poll(() => sentinels.namedPort(), { interval: 20 }).not.toBe(oldPort);
  const namedMs = performance.now() - killedAt;
  const sinceNamed = startStopwatch();
  const stopGuard = keepGuarding();
  const isBack = () => crowd.replies.some(({ http, at }) => http === 202 && at > killedAt + namedMs);
  await expect.poll(isBack, { interval: 20 }).toBe(true);
  expect(sinceNamed()).toBeLessThan(2_000);
  const backMs = performance.now() - killedAt;
  await delay(500);
  await crowd.stop();
  await stopGuard();
  console.info(`named after ${Math.round(namedMs)} ms, sells again after ${Math.round(backMs)} ms`);

  const failed = crowd.replies.filter(({ http }) => http !== 202);
  expect(new Set(failed.map(({ http, code }) => `${http} ${code}`))).toEqual(
    new Set(['503 STOCK_UNAVAILABLE']),
  );
  expect(Math.max(...crowd.replies.map(({ tookMs }) => tookMs))).toBeLessThan(6_000);
  expect(await shop(sale, sale.userIds[899] ?? '')).toMatchObject({ http: 202, orderNo: before.orderNo });
  for (const { userId, orderNo, http } of crowd.replies)
    if (http === 202) expect(await shop(sale, userId)).toMatchObject({ http: 202, orderNo, replay: true });

  messages.length = 0;
  await expect.poll(() => heard.isListening()).toBe(true);
  await stockRedis().publish('stock:changed', 'after');
  await expect.poll(() => messages).toContain('after');
  expect(gaps).toBeGreaterThan(0);
  const accepted = crowd.replies.length - failed.length + 1;
  await expect
    .poll(() => db().order.count({ where: { saleId: sale.saleId } }))
    .toBeGreaterThanOrEqual(accepted);
  const verified = await verifySale(sale.saleId, { settleMs: 1_000 });
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
});
