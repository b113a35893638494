import { afterAll, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { readAccepted } from '@/lib/outbox/read-accepted';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { purchase } from '@/lib/purchase/purchase';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  makeOverdue,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { purchaseStock } from '@/lib/stock/purchase-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { ensureStockLoaded } from './ensure-stock-loaded';
import { rebuildStock } from './rebuild-stock';

afterAll(async () => {
  await releaseOrderNos();
  await closeRedis();
  await closeDb();
});

const loseKeys = ({ saleId }: SaleFixture) => stockRedis().del(keys.sale(saleId), keys.buyers(saleId));
const loseEverything = () => stockRedis().flushdb();

const brokenIn = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 300 }))?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]));

async function askAgain(
  { saleId, gate }: SaleFixture,
  { userId, jti, quantity }: AcceptedOrder,
  other = jti,
) {
  const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return purchaseStock({ saleId, epoch, gate, userId, jti: other, orderNo: '77', quantity });
}

/** Buys through the whole purchase, as a shopper with a token of their own. */
async function shop({ saleId, gate }: SaleFixture, userId: string, jti = newId('jti')) {
  const claims = { userId, saleId, level: 0, jti, expiresAt: Date.now() + 600_000, device: '' };
  const reply = await purchase({ saleId, gate, entryToken: signEntryToken(claims), body: '' });
  return { http: reply.status, ...(JSON.parse(reply.body) as { orderNo: string; code?: string }) };
}

describe('a rebuild', () => {
  it('[J4 F2] takes in what Postgres has and what waits in the outbox; tokens keep their first answer', async () => {
    const sale = await createSaleFixture({ total: 8, users: 8 });
    const orders = await buyForAll(sale, 5);
    const [cancelled, paid, unpaid, waiting] = orders as [
      AcceptedOrder,
      AcceptedOrder,
      AcceptedOrder,
      AcceptedOrder,
    ];
    await createOrders({ saleId: sale.saleId, orders: [cancelled, paid, unpaid] });
    expect(await payFor(paid.orderNo)).toBe('applied');
    await makeOverdue([cancelled.orderNo]);
    await releaseUnpaid([cancelled.orderNo]);
    await loseKeys(sale);

    expect(await ensureStockLoaded(sale.saleId)).toEqual({ status: 'loaded' });
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 4, held: 4, sold: 0 },
      postgres: { held: 2, sold: 0 },
    });
    for (const order of [cancelled, paid, unpaid, waiting]) {
      expect(await askAgain(sale, order)).toEqual({
        status: 'replayed',
        orderNo: order.orderNo,
        quantity: 1,
      });
    }
    expect(await askAgain(sale, waiting, newId('jti'))).toMatchObject({ status: 'already_bought' });
    await drainOutbox(sale.saleId);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[F2 E6 J4] knows a purchase that was given up because its buyer’s account is gone: its token keeps its answer', async () => {
    const sale = await createSaleFixture({ total: 3, users: 1 });
    const order = await buy(sale, newId('user'));
    await createOrders({ saleId: sale.saleId, orders: [order] });
    expect(await readStates(sale.saleId)).toEqual(new Map());
    await loseKeys(sale);
    await ensureStockLoaded(sale.saleId);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 3, held: 0, sold: 0 });
    const { orderNo, quantity } = order;
    expect(await askAgain(sale, order)).toEqual({ status: 'replayed', orderNo, quantity });
    expect(await askAgain(sale, order, newId('jti'))).toMatchObject({ status: 'accepted' });
  });

  it('[E3 J4] takes in what the executor has and has not finished', async () => {
    const sale = await createSaleFixture({ total: 5, users: 3 });
    const orders = await buyForAll(sale);
    await db().$executeRaw`
      INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES ('f', 'a', 'u', 5, '{}')
      ON CONFLICT DO NOTHING`;
    const payload = JSON.stringify({ name: 'orders/accepted', data: { saleId: sale.saleId, orders } });
    await db()
      .$executeRaw`INSERT INTO executor.events VALUES ('e1', 'orders/accepted', ${payload}::json, now())`;
    await db().$executeRaw`
      INSERT INTO executor.runs (id, function_id, event_id, created_at) VALUES ('r1', 'f', 'e1', now())`;
    await loseEverything();
    await ensureStockLoaded(sale.saleId);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 2, held: 3, sold: 0 });
    expect(await readAccepted(sale.saleId)).toEqual([]);
    await createOrders({ saleId: sale.saleId, orders });
    await db().$executeRaw`UPDATE executor.runs SET status = 'COMPLETED', ended_at = now()`;
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[E3 J4] puts purchases back whose message was lost and whose buyer record was not', async () => {
    const sale = await createSaleFixture({ total: 3, users: 3 });
    const orders = await buyForAll(sale);
    await stockRedis().del(keys.sale(sale.saleId), keys.outbox(sale.saleId));
    await ensureStockLoaded(sale.saleId);
    await drainOutbox(sale.saleId);
    expect([...(await readStates(sale.saleId)).keys()].sort()).toEqual(
      orders.map(({ orderNo }) => orderNo).sort(),
    );
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[J4] happens once however many notice, and again when one died halfway', async () => {
    const sale = await createSaleFixture({ total: 5, users: 2 });
    await buyForAll(sale);
    await loseKeys(sale);
    const results = await Promise.all(Array.from({ length: 8 }, () => ensureStockLoaded(sale.saleId)));
    expect(results.filter(({ status }) => status === 'loaded')).toHaveLength(1);
    expect(await readStock(sale.saleId)).toMatchObject({ epoch: sale.epoch + 1, held: 2 });

    // As if a rebuild had died after it claimed its epoch and closed the sale.
    await db().sale.update({ where: { id: sale.saleId }, data: { epoch: { increment: 1 } } });
    await withdrawStock(sale.saleId);
    expect(await askAgain(sale, (await buyersOf(sale))[0] as AcceptedOrder)).toEqual({
      status: 'unknown_sale',
    });
    await ensureStockLoaded(sale.saleId);
    expect(await readStock(sale.saleId)).toMatchObject({ epoch: sale.epoch + 3, held: 2, available: 3 });
    expect(await stockRedis().keys('*staged*')).toEqual([]);
  });

  it('[E3 J4] loads nothing that no relay would read: a connection lost in between leaves the sale closed', async () => {
    const sale = await createSaleFixture({ total: 3, users: 1 });
    await loseEverything();
    const lost = vi.spyOn(stockRedis(), 'sadd').mockRejectedValue(new Error('Connection is closed.'));
    await expect(ensureStockLoaded(sale.saleId)).rejects.toThrow('Connection is closed');
    expect(await readStock(sale.saleId)).toBeNull();
    lost.mockRestore();
    await ensureStockLoaded(sale.saleId);
    expect(await readOpenSales()).toEqual([sale.saleId]);
    expect((await shop(sale, sale.userIds[0] ?? '')).http).toBe(202);
  });

  it('[E2 J4] everything lost: whoever was told 202 only by repeating the request has an order, too', async () => {
    const sale = await createSaleFixture({ total: 3, users: 1 });
    // Redis accepted the purchase, but the process that asked never got the answer, so no process remembers it.
    const [order] = await buyForAll(sale);
    const told = await shop(sale, order?.userId ?? '', order?.jti);
    expect([told.http, told.orderNo]).toEqual([202, order?.orderNo]);
    await loseEverything();
    await ensureStockLoaded(sale.saleId);
    expect(await drainOutbox(sale.saleId)).toBe(1);
    expect((await readStates(sale.saleId)).get(told.orderNo)?.status).toBe('pending_payment');
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[J4] of rebuilds side by side one loads; nobody is answered under the old epoch any more', async () => {
    const sale = await createSaleFixture({ total: 5, users: 2 });
    const [order] = await buyForAll(sale, 1);
    await loseKeys(sale);
    await Promise.all(Array.from({ length: 4 }, () => rebuildStock(sale.saleId)));
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
    expect(await readStock(sale.saleId)).toMatchObject({ epoch, held: 1, available: 4 });
    const [userId, jti] = [sale.userIds[1] ?? '', newId('jti')];
    const late = { ...sale, userId, jti, orderNo: '78', quantity: 1 };
    expect(await purchaseStock(late)).toEqual({ status: 'stale_epoch' });
    expect(order).toBeDefined();
  });

  it('[C6 J4] of an older copy that has sold units again promises none twice; Postgres refuses the excess', async () => {
    const sale = await createSaleFixture({ total: 3, users: 5 });
    const first = await buyForAll(sale, 2);
    await createOrders({ saleId: sale.saleId, orders: first });
    // The server came back with an older copy: it knows nothing of the two purchases, and belongs to another server.
    await stockRedis().del(keys.buyers(sale.saleId), keys.outbox(sale.saleId));
    await stockRedis().hset(keys.sale(sale.saleId), { available: 3, held: 0, server: 'another' });
    const again = await buyForAll({ ...sale, userIds: sale.userIds.slice(2) });
    expect(again).toHaveLength(3);

    await ensureStockLoaded(sale.saleId);
    expect((await countStock(sale.saleId)).redis).toEqual({ available: 0, held: 3, sold: 0 });
    for (const order of [...first, ...again]) {
      expect(await askAgain(sale, order)).toMatchObject({ status: 'replayed', orderNo: order.orderNo });
    }
    await drainOutbox(sale.saleId);
    const states = await readStates(sale.saleId);
    expect(again.map(({ orderNo }) => states.get(orderNo)?.endReason)).toEqual([
      null,
      'sale_full',
      'sale_full',
    ]);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });
});

async function buyersOf({ userIds, saleId }: SaleFixture) {
  const records = await Promise.all(
    userIds.map(async (userId) => ({ userId, ...(await readBuyer(saleId, userId))[0] })),
  );
  return records.map(({ userId, jti = '' }) => ({ userId, jti, quantity: 1 }) as AcceptedOrder);
}

describe('a loss in the middle of a race', () => {
  it('[C6 E2 J4] everything lost, outbox included: whoever was told 202 has an order, nobody else a unit', async () => {
    const [TOTAL, USERS] = [150, 300];
    const sale = await createSaleFixture({ total: TOTAL, users: USERS });
    const accepted = new Map<string, string>();
    const tokens = new Map(sale.userIds.map((userId) => [userId, newId('jti')]));
    let asked = 0;
    const shopper = async (userId: string) => {
      for (let attempt = 0; attempt < 40; attempt += 1) {
        asked += 1;
        if (asked === 120 || asked === 260) await loseEverything();
        const reply = await shop(sale, userId, tokens.get(userId));
        if (reply.http === 202) accepted.set(reply.orderNo, userId);
        if (reply.http !== 503) return;
      }
      throw new Error('nobody was let in');
    };
    const waiting = [...sale.userIds];
    const lane = async () => {
      for (let userId = waiting.shift(); userId; userId = waiting.shift()) await shopper(userId);
    };
    await Promise.all(Array.from({ length: 12 }, lane));
    await ensureStockLoaded(sale.saleId);
    await drainOutbox(sale.saleId);

    const orders = await readStates(sale.saleId);
    expect([...accepted.keys()].filter((orderNo) => !orders.has(orderNo))).toEqual([]);
    const live = [...orders.values()].filter(({ status }) => status === 'pending_payment');
    expect(live).toHaveLength(TOTAL);
    expect(accepted.size).toBe(TOTAL);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });
});
