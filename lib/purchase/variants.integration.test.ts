import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { cancelOrder } from '@/lib/order/cancel-order';
import { findOrder } from '@/lib/order/find-order';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readState } from '@/lib/sale/read-state';
import { confirmPaid } from '@/lib/settlement/confirm-paid';
import { createOrders } from '@/lib/settlement/create-orders';
import { isSurelySoldOut } from '@/lib/stock/sold-out-flag';
import { verifySale } from '@/lib/verify/verify-sale';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { SEED } from '@/test/support/random';
import { purchase } from './purchase';
import { drainOutbox } from './testing/drain-outbox';
import { standOf } from './testing/order-fixture';
import { payFor } from './testing/pay-for';
import {
  buy,
  countVariants,
  createSaleFixture,
  forge,
  makeOverdue,
  readStates,
} from './testing/sale-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

type Sold = { saleId: string; gate: string };

/** Buys as a shopper does; each call has a token of its own, unless one is given. */
async function ask({ saleId, gate }: Sold, userId: string, wish: object, jti = newId('jti')) {
  const claims = { userId, saleId, level: 0, jti, expiresAt: Date.now() + 600_000, device: '' };
  const reply = await purchase({
    saleId,
    gate,
    entryToken: signEntryToken(claims),
    body: JSON.stringify(wish),
  });
  return { http: reply.status, ...(JSON.parse(reply.body) as { orderNo?: string; code?: string }) };
}

const refused = (http: number, code: string, more: object = {}) =>
  expect.objectContaining({ http, code, ...more });

async function expectSound(saleId: string) {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 300 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}

const leftOf = async (saleId: string) => (await countVariants(saleId)).left;

describe('a sale with variants', () => {
  it('[O3 C1] sells no unit of a variant twice, however many press at once; the state says what is left of each', async () => {
    const sale = await createSaleFixture({ users: 60, variants: [9, 4, 0, 12] });
    let random = SEED % 2_147_483_647 || 1;
    const next = (below: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return random % below;
    };
    const asked = sale.userIds.flatMap((userId) =>
      // A third presses twice, for two things.
      Array.from({ length: next(3) === 0 ? 2 : 1 }, () => ({ userId, variant: next(4) + 1 })),
    );
    const answers = await Promise.all(
      asked.map(async (one) => ({ ...one, ...(await ask(sale, one.userId, { variant: one.variant })) })),
    );
    const accepted = answers.filter(({ http }) => http === 202);
    expect(new Set(accepted.map(({ userId }) => userId)).size).toBe(accepted.length);
    for (const [at, stock] of [9, 4, 0, 12].entries()) {
      const ofIt = answers.filter(({ variant }) => variant === at + 1);
      const sold = ofIt.filter(({ http }) => http === 202).length;
      expect(sold).toBeLessThanOrEqual(stock);
      // It is said to be sold out only where it is.
      if (ofIt.some(({ code }) => code === 'SOLD_OUT')) expect(sold).toBe(stock);
    }
    const left = [9, 4, 0, 12].map(
      (stock, at) => stock - accepted.filter(({ variant }) => variant === at + 1).length,
    );
    const state = JSON.parse((await readState(sale.saleId)).body.toString());
    expect(state.stock).toMatchObject({ total: 25, variants: left });
    await expectSound(sale.saleId);
    expect(await countVariants(sale.saleId)).toEqual({
      left,
      postgres: [9, 4, 0, 12].map((stock, at) => `${stock - (left[at] ?? 0)} held, 0 sold of ${stock}`),
    });
  });

  it('[O3 C3] has one limit per person across its variants', async () => {
    const sale = await createSaleFixture({ users: 1, limit: 3, variants: [5, 5] });
    const [ada = ''] = sale.userIds;
    expect(await ask(sale, ada, { variant: 1, quantity: 2 })).toMatchObject({ http: 202 });
    expect(await ask(sale, ada, { variant: 2, quantity: 2 })).toEqual(refused(409, 'LIMIT_REACHED'));
    expect(await ask(sale, ada, { variant: 2 })).toMatchObject({ http: 202 });
    expect(await ask(sale, ada, { variant: 1 })).toEqual(refused(409, 'LIMIT_REACHED'));
    expect(await leftOf(sale.saleId)).toEqual([3, 4]);
    await expectSound(sale.saleId);
  });

  it('[O3] sells only what it has: another variant, none, or one where there are none is refused, and nothing changes', async () => {
    const [varied, plain] = [
      await createSaleFixture({ users: 1, variants: [2, 2] }),
      await createSaleFixture({ users: 1 }),
    ];
    for (const [sale, wish] of [
      [varied, {}],
      [varied, { variant: 0 }],
      [varied, { variant: 3 }],
      [varied, { variant: 'S' }],
      [plain, { variant: 1 }],
    ] as const)
      expect(await ask(sale, sale.userIds[0] ?? '', wish)).toEqual(refused(422, 'VARIANT_UNKNOWN'));
    expect(await leftOf(varied.saleId)).toEqual([2, 2]);
    expect(await ask(plain, plain.userIds[0] ?? '', {})).toMatchObject({ http: 202 });
  });

  it('[O3 C10] one token buys one thing: the same again is its first answer, another variant is refused', async () => {
    const sale = await createSaleFixture({ users: 1, limit: 5, variants: [2, 2] });
    const [ada = ''] = sale.userIds;
    const first = await ask(sale, ada, { variant: 2 }, 'jti_of_ada');
    expect(await ask(sale, ada, { variant: 2 }, 'jti_of_ada')).toEqual({ ...first, replay: true });
    const { orderNo } = first;
    expect(await ask(sale, ada, { variant: 1 }, 'jti_of_ada')).toEqual(
      refused(422, 'IDEMPOTENCY_MISMATCH', { orderNo, quantity: 1, variant: 2 }),
    );
    expect(await leftOf(sale.saleId)).toEqual([2, 1]);
  });

  it('[O3 D2] a variant that is sold out does not teach this process that all is; once all is, it knows', async () => {
    const sale = await createSaleFixture({ users: 6, limit: 2, variants: [1, 2] });
    const [ada = '', ben = '', cyd = '', dan = ''] = sale.userIds;
    const asked = { ...sale, userId: dan, jti: 'x', quantity: 1, endsAt: Date.now() + 3_600_000 };
    expect(await ask(sale, ada, { variant: 1 })).toMatchObject({ http: 202 });
    expect(await ask(sale, ben, { variant: 1 })).toEqual(refused(409, 'SOLD_OUT', { available: 0 }));
    expect(isSurelySoldOut(asked)).toBe(false);
    expect(await ask(sale, ben, { variant: 2 })).toMatchObject({ http: 202 });
    expect(await ask(sale, cyd, { variant: 2, quantity: 2 })).toEqual(
      refused(409, 'SOLD_OUT', { available: 1 }),
    );
    expect(await ask(sale, cyd, { variant: 2 })).toMatchObject({ http: 202 });
    await eventually(async () => {
      expect(await ask(sale, dan, { variant: 2 })).toEqual(refused(409, 'SOLD_OUT', { available: 0 }));
      expect(isSurelySoldOut(asked)).toBe(true);
    });
    await expectSound(sale.saleId);
  });

  it('[O3 C7] a released unit goes back to its own variant: cancelled, expired or given up', async () => {
    const sale = await createSaleFixture({ users: 4, limit: 2, variants: [3, 3] });
    const [ada = '', ben = '', cyd = ''] = sale.userIds;
    const [cancelled, expired] = [await buy(sale, ada, 2, 1), await buy(sale, ben, 1, 2)];
    // A buyer whose account is gone: the purchase is given up.
    await buy(sale, newId('user'), 1, 2);
    await buy(sale, cyd, 1, 1);
    expect(await leftOf(sale.saleId)).toEqual([0, 1]);
    await drainOutbox(sale.saleId);
    expect(await leftOf(sale.saleId)).toEqual([0, 2]);
    await cancelOrder(ada, cancelled.orderNo);
    expect(await leftOf(sale.saleId)).toEqual([2, 2]);
    await makeOverdue([expired.orderNo]);
    await releaseUnpaid([expired.orderNo]);
    expect(await countVariants(sale.saleId)).toEqual({
      left: [2, 3],
      postgres: ['1 held, 0 sold of 3', '0 held, 0 sold of 3'],
    });
    await expectSound(sale.saleId);
  });

  it('[O3 C6] pays, refunds and writes off in the counters of its variant', async () => {
    const { sale, merchant } = await makeSale({
      limitPerUser: 2,
      totalStock: 8,
      variants: [
        { name: 'Small', stock: 5, picture: null },
        { name: 'Large', stock: 3, picture: null },
      ],
    });
    const { saleId } = sale;
    const { gate, epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const fixture = { saleId, gate, epoch, userIds: [] };
    const buyers = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const orders = [];
    for (const { userId } of buyers) orders.push(await buy(fixture, userId, 1, 2));
    const [kept, returned, lost] = orders.map(({ orderNo }) => orderNo) as [string, string, string];
    await drainOutbox(saleId);
    for (const orderNo of [kept, returned, lost]) expect(await payFor(orderNo)).toBe('applied');
    await confirmPaid([kept, returned, lost].map((orderNo) => ({ saleId, orderNo })));
    expect((await countVariants(saleId)).postgres[1]).toBe('0 held, 3 sold of 3');
    await refundOrder(merchant, returned, { reason: 'x', returnStock: true });
    await refundOrder(merchant, lost, { reason: 'x', returnStock: false });
    expect(await countVariants(saleId)).toEqual({
      left: [5, 1],
      postgres: ['0 held, 0 sold of 5', '0 held, 1 sold of 2'],
    });
    await expectSound(saleId);
  });

  it('[O3 D5] an order says its variant, while it waits and when it is written', async () => {
    const sale = await createSaleFixture({ users: 1, variants: [3, 3] });
    const [ada = ''] = sale.userIds;
    const { orderNo } = await buy(sale, ada, 1, 2);
    const named = { variant: 2, variantName: 'Variant 2' };
    const asked = { userId: ada, saleId: sale.saleId };
    expect(await findOrder(asked, orderNo)).toMatchObject({ status: 'queued', ...named });
    await drainOutbox(sale.saleId);
    expect(await findOrder(asked, orderNo)).toMatchObject({ status: 'pending_payment', ...named });
    const plain = await createSaleFixture({ users: 1 });
    const other = await buy(plain, plain.userIds[0] ?? '');
    expect(await findOrder({ userId: other.userId, saleId: plain.saleId }, other.orderNo)).toMatchObject({
      variant: 0,
      variantName: null,
    });
  });

  it('[O3 J4] a Redis that lost it is loaded with the same units of each variant', async () => {
    const sale = await createSaleFixture({ users: 6, limit: 2, variants: [4, 4, 4] });
    const [ada = '', ben = '', cyd = '', dan = ''] = sale.userIds;
    await buy(sale, ada, 2, 1);
    const paid = await buy(sale, ben, 1, 2);
    await drainOutbox(sale.saleId);
    expect(await payFor(paid.orderNo)).toBe('applied');
    const waiting = await buy(sale, cyd, 2, 3);
    const before = await leftOf(sale.saleId);
    await stockRedis().del(keys.sale(sale.saleId), keys.buyers(sale.saleId));
    await ensureStockLoaded(sale.saleId);
    expect(await leftOf(sale.saleId)).toEqual(before);
    expect(before).toEqual([2, 3, 2]);
    const now = { ...sale, epoch: (await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } })).epoch };
    // The token of a purchase on its way knows what it bought.
    expect(await ask(now, cyd, { variant: 1, quantity: 2 }, waiting.jti)).toEqual(
      refused(422, 'IDEMPOTENCY_MISMATCH', { quantity: 2, variant: 3 }),
    );
    await expect(buy(now, dan, 3, 1)).rejects.toThrow('over_limit');
    await buy(now, dan, 2, 1);
    await expectSound(sale.saleId);
    expect(await leftOf(sale.saleId)).toEqual([0, 3, 2]);
  });

  it('[O3 D3] late money buys its own variant again, or goes back though others are left', async () => {
    const sale = await createSaleFixture({ users: 1, variants: [1, 5] });
    const [ada = ''] = sale.userIds;
    const late = await buy(sale, ada, 1, 1);
    await drainOutbox(sale.saleId);
    await makeOverdue([late.orderNo]);
    await releaseUnpaid([late.orderNo]);
    expect(await leftOf(sale.saleId)).toEqual([1, 5]);
    expect(await payFor(late.orderNo)).toBe('late');
    await returnMoney([{ paymentId: `pay_${late.orderNo}` }]);
    expect(await standOf(late.orderNo)).toBe('paid, payment succeeded');
    expect(await countVariants(sale.saleId)).toEqual({
      left: [0, 5],
      postgres: ['0 held, 1 sold of 1', '0 held, 0 sold of 5'],
    });

    const second = await createSaleFixture({ users: 2, variants: [1, 5] });
    const tooLate = await buy(second, second.userIds[0] ?? '', 1, 1);
    await drainOutbox(second.saleId);
    await makeOverdue([tooLate.orderNo]);
    await releaseUnpaid([tooLate.orderNo]);
    await buy(second, second.userIds[1] ?? '', 1, 1);
    expect(await payFor(tooLate.orderNo)).toBe('late');
    await returnMoney([{ paymentId: `pay_${tooLate.orderNo}` }]);
    expect(await standOf(tooLate.orderNo)).toContain('cancelled, payment refund');
    expect(await leftOf(second.saleId)).toEqual([0, 5]);
    for (const { saleId } of [sale, second]) await expectSound(saleId);
  });

  it('[O3] takes and gives units of one variant; a change must name one, and only where there are some', async () => {
    const { sale, merchant } = await makeSale({
      totalStock: 5,
      variants: [
        { name: 'Small', stock: 2, picture: null },
        { name: 'Large', stock: 3, picture: null },
      ],
    });
    const { saleId } = sale;
    expect(await restockSale(merchant, saleId, 4, { variant: 1, requestId: 'once_only' })).toMatchObject({
      stock: { total: 9, available: 9 },
    });
    expect(await restockSale(merchant, saleId, 4, { variant: 1, requestId: 'once_only' })).toMatchObject({
      stock: { total: 9 },
    });
    expect(await restockSale(merchant, saleId, 4, { variant: 2, requestId: 'once_only' })).toEqual({
      status: 'made_otherwise',
    });
    expect(await restockSale(merchant, saleId, -4, { variant: 2 })).toEqual({
      status: 'below_committed',
      available: 3,
    });
    expect(await restockSale(merchant, saleId, -3, { variant: 2 })).toMatchObject({ stock: { total: 6 } });
    for (const variant of [undefined, 3])
      expect(await restockSale(merchant, saleId, 1, { variant })).toEqual({ status: 'variant_unknown' });
    const plain = await makeSale();
    expect(await restockSale(plain.merchant, plain.sale.saleId, 1, { variant: 1 })).toEqual({
      status: 'variant_unknown',
    });
    expect(await countVariants(saleId)).toEqual({
      left: [6, 0],
      postgres: ['0 held, 0 sold of 6', '0 held, 0 sold of 0'],
    });
    await expectSound(saleId);
  });

  it('[O3 E6] Postgres writes no order of a variant that is full, that there is not, or that names none', async () => {
    const sale = await createSaleFixture({ users: 4, variants: [1, 5] });
    const [ada = '', ben = '', cyd = '', dan = ''] = sale.userIds;
    const orders = [
      forge(sale, ada, { variant: 1 }),
      forge(sale, ben, { variant: 1 }),
      forge(sale, cyd, { variant: 3 }),
      forge(sale, dan),
    ];
    await createOrders({ saleId: sale.saleId, orders });
    const states = await readStates(sale.saleId);
    expect(orders.map(({ orderNo }) => states.get(orderNo)?.status)).toEqual([
      'pending_payment',
      'failed',
      'failed',
      'failed',
    ]);
    expect((await countVariants(sale.saleId)).postgres).toEqual([
      '1 held, 0 sold of 1',
      '0 held, 0 sold of 5',
    ]);
  });
});
