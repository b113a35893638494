import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { SALE_STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { cancelOrder } from '@/lib/order/cancel-order';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { cacheRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeSale } from '@/lib/sale/admin/close-sale';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readState } from '@/lib/sale/read-state';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { isSurelySoldOut } from '@/lib/stock/sold-out-flag';
import { limitMs } from '@/lib/time-limits';
import { verifySale } from '@/lib/verify/verify-sale';
import { giveLocksTheirOwnRedis } from '@/test/support/locks-apart';
import { makeDraft, makeSale, makeUser } from '@/test/support/make-sale';
import { type PurchaseRequest, purchase } from './purchase';
import { decided } from './testing/decided';
import { drainOutbox } from './testing/drain-outbox';
import { payFor } from './testing/pay-for';
import { makeOverdue } from './testing/sale-fixture';

giveLocksTheirOwnRedis();

const tokenFor = (saleId: string, userId: string) =>
  signEntryToken({ userId, saleId, level: 0, jti: newId('jti'), expiresAt: Date.now() + 60_000, device: '' });

async function stateOf({ saleId }: { saleId: string }) {
  return JSON.parse((await readState(saleId)).body.toString());
}

async function tiersOf({ saleId }: { saleId: string }) {
  const { heldStock, soldStock } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { held: heldStock, sold: soldStock };
}

/** Buys as the page does: a shopper who is told to come again comes again. This may happen on a busy machine. */
async function buy(sale: SaleInfo, userId: string, request: Partial<PurchaseRequest> = {}) {
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  const entryToken = tokenFor(sale.saleId, userId);
  for (let tries = 1; ; tries += 1) {
    const reply = await purchase({ saleId: sale.saleId, gate, entryToken, body: '', ...request });
    if (reply.status === 503 && tries < 20) await delay(50 * Math.random());
    else {
      const { headers, ...answer } = await decided(sale, userId, reply);
      return answer;
    }
  }
}

const users = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await makeUser()).userId));

describe.each(SALE_STRATEGIES)('strategy %s', (strategy) => {
  /** Writes the orders that are on their way, then recomputes the invariants. */
  async function expectSound({ saleId }: SaleInfo) {
    await drainOutbox(saleId);
    const verification = await verifySale(saleId, { settleMs: 0 });
    expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  }

  it('[C1 C2 C3 C10 F2] accepts with 202 "queued"; the same token gets the first answer again, whatever came since', async () => {
    const { sale, merchant } = await makeSale({ strategy, limitPerUser: 3 });
    const [ada = ''] = await users(1);
    const entryToken = tokenFor(sale.saleId, ada);
    const ask = { entryToken, body: '{"quantity":2}' };
    const first = await buy(sale, ada, ask);
    expect(first).toEqual({
      http: 202,
      orderNo: expect.stringMatching(/^\d+$/),
      status: 'queued',
      replay: false,
    });
    const again = { ...first, replay: true };
    expect(await buy(sale, ada, ask)).toEqual(again);
    expect(await buy(sale, ada, { ...ask, gate: 'wrong' })).toEqual(again);
    expect(await buy(sale, ada, { entryToken })).toMatchObject({ http: 422, code: 'IDEMPOTENCY_MISMATCH' });
    await drainOutbox(sale.saleId);
    expect(await tiersOf(sale)).toEqual({ held: 2, sold: 0 });
    await setSalePaused(merchant, sale.saleId, true);
    expect(await buy(sale, ada, ask)).toEqual(again);
    await cancelOrder(ada, first.orderNo);
    await closeSale(merchant, sale.saleId);
    expect(await buy(sale, ada, ask)).toEqual(again);
    await expectSound(sale);
  });

  it('[C1 C2 C3 C10] each refusal has its own code and changes nothing', async () => {
    const now = Date.now();
    const { sale, merchant } = await makeSale({ strategy, totalStock: 3, limitPerUser: 2 });
    const { sale: early } = await makeSale({ strategy, startsAt: now + 60_000, endsAt: now + 90_000 });
    const { sale: late } = await makeSale({ strategy, startsAt: now - 60_000, endsAt: now - 1_000 });
    const { sale: draft } = await makeDraft({ strategy });
    const [ada = '', ben = '', cyd = '', dan = ''] = await users(4);
    const one = await buy(sale, ada);
    const two = await buy(sale, ada);
    const refused = (http: number, code: string, more = {}) =>
      expect.objectContaining({ http, code, ...more });

    expect(await buy(draft, ben)).toEqual(refused(404, 'SALE_NOT_FOUND'));
    expect(await buy(sale, ben, { entryToken: 'x.y' })).toEqual(refused(401, 'ENTRY_INVALID'));
    expect(await buy(sale, ben, { body: '{"quantity":0}' })).toEqual(refused(422, 'INVALID_QUANTITY'));
    expect(await buy(early, ben)).toEqual(refused(409, 'NOT_STARTED'));
    expect(await buy(late, ben)).toEqual(refused(409, 'ENDED'));
    for (const gate of ['wrong', '', 'no;good', 'nul\0', 'x'.repeat(5_000)]) {
      expect(await buy(sale, ben, { gate })).toEqual(refused(403, 'GATE_INVALID'));
    }
    // A shopper who has as many as the limit allows is led to the latest order.
    expect(await buy(sale, ada)).toEqual(refused(409, 'LIMIT_REACHED', { orderNo: two.orderNo }));
    expect(await buy(sale, ben, { body: '{"quantity":3}' })).toEqual(refused(409, 'LIMIT_REACHED'));
    expect(await buy(sale, ben, { body: '{"quantity":2}' })).toEqual(
      refused(409, 'SOLD_OUT', { available: 1 }),
    );
    expect(await stateOf(sale)).toMatchObject({ status: 'live', stock: { total: 3, available: 1 } });

    expect(await buy(sale, cyd)).toMatchObject({ http: 202 });
    expect(await buy(sale, dan)).toEqual(refused(409, 'SOLD_OUT', { available: 0 }));
    await expect
      .poll(() => stateOf(sale))
      .toMatchObject({ status: 'sold_out', soldOutAt: expect.any(Number) });
    await setSalePaused(merchant, sale.saleId, true);
    expect(await buy(sale, dan)).toEqual(refused(409, 'PAUSED'));
    expect(await stateOf(sale)).toMatchObject({ status: 'paused', gate: null });
    await closeSale(merchant, sale.saleId);
    expect(await buy(sale, dan)).toEqual(refused(409, 'ENDED'));
    expect(await stateOf(sale)).toMatchObject({
      status: 'ended',
      endsAt: expect.toSatisfy((at) => at <= Date.now()),
    });
    await drainOutbox(sale.saleId);
    const orders = await db().order.findMany({ where: { saleId: sale.saleId }, orderBy: { id: 'asc' } });
    expect(orders.map(({ id, userId }) => [String(id), userId]).slice(0, 2)).toEqual([
      [one.orderNo, ada],
      [two.orderNo, ada],
    ]);
    expect(orders).toHaveLength(3);
    await expectSound(sale);
  });

  it('[F2 C2 C3 C10] 200 requests at once with one token for the only unit are one order with identical bodies', async () => {
    const { sale } = await makeSale({ strategy, totalStock: 1 });
    const [ada = ''] = await users(1);
    const entryToken = tokenFor(sale.saleId, ada);
    const replies = await Promise.all(Array.from({ length: 200 }, () => buy(sale, ada, { entryToken })));
    expect(replies.filter(({ http, replay }) => http === 202 && !replay)).toHaveLength(1);
    expect(new Set(replies.map(({ http, orderNo, status }) => `${http} ${orderNo} ${status}`)).size).toBe(1);
    await expectSound(sale);
  });

  it('[B8 C2 C3 C10] once sold out, strangers are refused from memory; whoever has bought is not', async () => {
    const { sale } = await makeSale({ strategy, totalStock: 1 });
    const [ada = '', ...strangers] = await users(40);
    const first = await buy(sale, ada);
    const { saleId, epoch, endsAt } = sale;
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const isRefused = (userId: string) =>
      isSurelySoldOut({ saleId, epoch, gate, userId, quantity: 1, endsAt });
    await expect
      .poll(async () => {
        expect(await buy(sale, strangers.pop() ?? '')).toMatchObject({ http: 409, code: 'SOLD_OUT' });
        return isRefused(strangers[0] ?? '');
      })
      .toBe(true);
    expect(isRefused(ada)).toBe(false);
    await drainOutbox(saleId);
    await cancelOrder(ada, first.orderNo);
    expect(isRefused(strangers[0] ?? '')).toBe(false);
    expect(await buy(sale, strangers[0] ?? '')).toMatchObject({ http: 202 });
    await expectSound(sale);
  });

  it('[C1 C2 C3 C10] a user who asks ten times at once gets no more than the limit', async () => {
    const { sale } = await makeSale({ strategy, limitPerUser: 3, totalStock: 20 });
    const [ada = ''] = await users(1);
    const replies = await Promise.all(Array.from({ length: 10 }, () => buy(sale, ada)));
    expect(replies.filter(({ http }) => http === 202)).toHaveLength(3);
    expect(replies.filter(({ code }) => code === 'LIMIT_REACHED')).toHaveLength(7);
    await expectSound(sale);
    expect(await tiersOf(sale)).toEqual({ held: 3, sold: 0 });
  });

  it('[C1 C2 C3 C10] sells without end where the stock is unlimited, and still counts', async () => {
    const { sale } = await makeSale({ strategy, totalStock: -1, limitPerUser: 5 });
    const [ada = '', ben = ''] = await users(2);
    expect(await buy(sale, ada, { body: '{"quantity":5}' })).toMatchObject({ http: 202 });
    expect(await buy(sale, ben, { body: '{"quantity":4}' })).toMatchObject({ http: 202 });
    expect(await stateOf(sale)).toMatchObject({ status: 'live', stock: { total: -1, available: -1 } });
    await expectSound(sale);
    expect(await tiersOf(sale)).toEqual({ held: 9, sold: 0 });
  });

  it('[C6 C7 C2 C3 C10] unpaid units return and can be bought again, paid ones stay sold', async () => {
    const { sale } = await makeSale({ strategy, totalStock: 2 });
    const [ada = '', ben = '', cyd = ''] = await users(3);
    const [first, second] = [await buy(sale, ada), await buy(sale, ben)];
    await drainOutbox(sale.saleId);
    expect(await buy(sale, cyd)).toMatchObject({ code: 'SOLD_OUT' });
    expect(await payFor(first.orderNo)).toBe('applied');
    await confirmPaid([{ saleId: sale.saleId, orderNo: first.orderNo }]);
    const orderNos = [first.orderNo, second.orderNo];
    await makeOverdue(orderNos);
    expect(await releaseUnpaid(orderNos)).toEqual([second.orderNo]);
    expect(await releaseUnpaid(orderNos)).toEqual([]);
    expect(await stateOf(sale)).toMatchObject({ status: 'live', stock: { available: 1 } });
    expect(await buy(sale, cyd)).toMatchObject({ http: 202 });
    await expectSound(sale);
    expect(await tiersOf(sale)).toEqual({ held: 1, sold: 1 });
  });

  it('[C5 C2 C3 C10] the merchant adds units and takes unsold ones back', async () => {
    const { sale, merchant } = await makeSale({ strategy, totalStock: 1 });
    const [ada = '', ben = '', cyd = ''] = await users(3);
    expect(await buy(sale, ada)).toMatchObject({ http: 202 });
    expect(await buy(sale, ben)).toMatchObject({ code: 'SOLD_OUT' });
    const restocked = await restockSale(merchant, sale.saleId, 2);
    expect(restocked).toEqual({ status: 'restocked', stock: { total: 3, available: 2, held: 1, sold: 0 } });
    expect(await buy(sale, ben)).toMatchObject({ http: 202 });
    await drainOutbox(sale.saleId);
    const refusal = await restockSale(merchant, sale.saleId, -2);
    expect(refusal).toEqual({ status: 'below_committed', available: 1 });
    expect(await restockSale(merchant, sale.saleId, -1)).toMatchObject({ stock: { total: 2, available: 0 } });
    expect(await buy(sale, cyd)).toMatchObject({ code: 'SOLD_OUT' });
    await expectSound(sale);
  });
});

it('[C2] Redis holds nothing of a sale that sells through the database', async () => {
  const { sale, merchant } = await makeSale({ strategy: 'database' });
  const [ada = ''] = await users(1);
  const { orderNo } = await buy(sale, ada);
  await cancelOrder(ada, orderNo);
  await restockSale(merchant, sale.saleId, 5);
  await setSalePaused(merchant, sale.saleId, true);
  const { saleId } = sale;
  expect(await stockRedis().exists(keys.sale(saleId), keys.buyers(saleId), keys.outbox(saleId))).toBe(0);
  expect(await stockRedis().sismember(keys.openSales(), saleId)).toBe(0);
});

it('[C2 N2] a database sale refuses a token whose account is gone: no unit moves, and the next shopper buys', async () => {
  const { sale } = await makeSale({ strategy: 'database', totalStock: 1 });
  expect(await buy(sale, newId('user'))).toMatchObject({
    http: 401,
    code: 'ENTRY_INVALID',
    reason: 'no_account',
  });
  const [ada = ''] = await users(1);
  expect(await buy(sale, ada)).toMatchObject({ http: 202 });
  expect(await tiersOf(sale)).toEqual({ held: 1, sold: 0 });
});

it('[C2] a stampede leaves connections for everybody else: 8 at work, 400 wait, the rest come again later', async () => {
  const { sale } = await makeSale({ strategy: 'database', totalStock: 100 });
  const { saleId } = sale;
  const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const userIds = Array.from({ length: 450 }, () => newId('user'));
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, id || '@example.com', 'Test', '!' FROM unnest(${userIds}::text[]) AS u (id)`;
  const ask = async (userId: string) => {
    const startedAt = performance.now();
    const entryToken = tokenFor(saleId, userId);
    const { status, headers, body } = await purchase({ saleId, gate, entryToken, body: '' });
    const code = JSON.parse(body.toString()).code as string | undefined;
    return { status, code, retryAfter: headers['retry-after'], tookMs: performance.now() - startedAt };
  };
  // The test holds the row that every purchase needs in the end, until all have their answer but those at work.
  const asked = userIds.map(() => Promise.resolve() as Promise<unknown>);
  const replies: Awaited<ReturnType<typeof ask>>[] = [];
  await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
      userIds.forEach((userId, i) => {
        asked[i] = ask(userId).then((reply) => replies.push(reply));
      });
      await expect.poll(() => replies.length).toBeGreaterThanOrEqual(442);
      expect(await stateOf(sale)).toMatchObject({ status: 'live', stock: { available: 100 } });
    },
    { timeout: 300_000 },
  );
  await Promise.all(asked);
  const away = replies.filter(({ status }) => status === 503);
  expect(away.length).toBeGreaterThanOrEqual(442);
  expect(new Set(away.map(({ code, retryAfter }) => `${code} ${retryAfter}`))).toEqual(
    new Set(['STOCK_UNAVAILABLE 1']),
  );
  // 42 found the line full and were answered before the turns of the others were over.
  expect(away.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[41]).toBeLessThan(limitMs('databaseTurn'));
  expect(await db().order.count({ where: { saleId } })).toBe(450 - away.length);
  expect((await verifySale(saleId, { settleMs: 0 }))?.ok).toBe(true);
});

it('[C3] the lock is on the one Redis, the stock on the other', async () => {
  const { sale } = await makeSale({ strategy: 'lock' });
  const [ada = ''] = await users(1);
  expect(await buy(sale, ada)).toMatchObject({ http: 202 });
  const fence = keys.lockFence(`purchase:${sale.saleId}`);
  expect(await cacheRedis().exists(fence)).toBe(1);
  expect(await stockRedis().exists(fence)).toBe(0);
  expect(await stockRedis().hget(keys.sale(sale.saleId), 'fence')).toBe(await cacheRedis().get(fence));
});

it('[C2 L1] Postgres itself refuses a strategy that does not exist', async () => {
  const { sale } = await makeDraft();
  await expect(
    db().$executeRaw`UPDATE sales SET strategy = 'hope' WHERE id = ${sale.saleId}`,
  ).rejects.toThrow(/sales_strategy_check/);
});
