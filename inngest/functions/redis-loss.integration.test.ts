import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { guardStock } from '@/lib/loading/guard-stock';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { purchase } from '@/lib/purchase/purchase';
import { createSaleFixture, readStates } from '@/lib/purchase/testing/sale-fixture';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { runFunctions } from './testing/run-functions';

let stop: () => Promise<void>;

beforeAll(async () => {
  stop = await runFunctions();
});

afterAll(async () => {
  await stop();
  await releaseOrderNos().catch(() => undefined);
  await closeRedis();
  await closeDb();
});

it('[J4 E3 C6 C8] relays and executor at work, all of Redis lost three times: each 202 is an order, nothing is oversold', async () => {
  const [TOTAL, USERS] = [200, 400];
  const sale = await createSaleFixture({ total: TOTAL, users: USERS });
  const { saleId, gate } = sale;
  const accepted = new Map<string, string>();
  const losses = [60, 140, 260];
  const waiting = [...sale.userIds];
  const shopper = async () => {
    for (let userId = waiting.shift(); userId; userId = waiting.shift()) {
      if (losses.includes(USERS - waiting.length)) await stockRedis().flushdb();
      const claims = {
        userId,
        saleId,
        level: 0,
        jti: `jti_${userId}`,
        expiresAt: Date.now() + 600_000,
        device: '',
      };
      const request = { saleId, gate, entryToken: signEntryToken(claims), body: '' };
      let reply = await purchase(request);
      for (let attempt = 0; reply.status === 503 && attempt < 60; attempt += 1)
        reply = await purchase(request);
      expect([202, 409]).toContain(reply.status);
      if (reply.status === 202) accepted.set(JSON.parse(reply.body).orderNo, userId);
    }
  };
  await Promise.all(Array.from({ length: 16 }, shopper));
  await guardStock();
  await expect
    .poll(async () => (await readOutboxDepth(saleId)).depth + accepted.size - (await readStates(saleId)).size)
    .toBe(0);

  const orders = await readStates(saleId);
  expect([...accepted.keys()].filter((orderNo) => orders.get(orderNo)?.status !== 'pending_payment')).toEqual(
    [],
  );
  expect(accepted.size).toBe(TOTAL);
  const found = await reconcileSale(saleId, { cause: 'demand', isRepairing: false, graceMs: 2_000 });
  expect(found).toMatchObject({ status: 'done', report: { found: 0 } });
  const verified = await verifySale(saleId);
  expect(verified?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]))).toEqual([]);
});
