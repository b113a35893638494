import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendEvent } from '@/inngest/send-event';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { issueOrderNo } from '@/lib/order/records/issue-order-no';
import { EventRefused, PROBE_TOPIC } from '@/lib/outbox/event-refused';
import { packOrders } from '@/lib/outbox/order-batch';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { purchaseByDatabase } from '@/lib/purchase/purchase-by-database';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  readStates,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { refuseOrders } from './testing/refuse-orders';
import { runFunctions } from './testing/run-functions';

let stop: () => Promise<void>;

beforeAll(async () => {
  stop = await runFunctions();
});

afterAll(async () => {
  await stop();
  await closeRedis();
  await closeDb();
});

const statuses = async (saleId: string) =>
  [...(await readStates(saleId)).values()].map(
    ({ status, isSettled }) => `${status}${isSettled ? ', settled' : ''}`,
  );

describe('the functions on the embedded executor', () => {
  it('[E1 I1 C6] purchase → order → payment → sold, without anybody asking', async () => {
    const sale = await createSaleFixture({ total: 150, users: 150 });
    const orders = await buyForAll(sale);
    await expect.poll(async () => (await statuses(sale.saleId)).length, { timeout: 15_000 }).toBe(150);
    expect((await readOutboxDepth(sale.saleId)).depth).toBe(0);
    for (const { orderNo } of orders.slice(0, 50)) expect(await payFor(orderNo)).toBe('applied');
    await expect
      .poll(() => countStock(sale.saleId), { timeout: 15_000 })
      .toEqual({ redis: { available: 0, held: 100, sold: 50 }, postgres: { held: 100, sold: 50 } });
  });

  it('[C7 E7] an unpaid order is cancelled by its timer and its unit returns', async () => {
    const sale = await createSaleFixture({ total: 2, users: 2, paymentWindowSec: 5 });
    const [first] = await buyForAll(sale);
    await expect
      .poll(() => statuses(sale.saleId), { timeout: 5_000 })
      .toEqual(['pending_payment', 'pending_payment']);
    expect(await payFor(first?.orderNo ?? '')).toBe('applied');
    await expect
      .poll(() => statuses(sale.saleId), { timeout: 12_000 })
      .toEqual(['paid, settled', 'cancelled, settled']);
    expect(await countStock(sale.saleId)).toEqual({
      redis: { available: 1, held: 0, sold: 1 },
      postgres: { held: 0, sold: 1 },
    });
  });

  it('[C7 E7] orders that trickle share their timers, and all of them are cancelled', async () => {
    const sale = await createSaleFixture({ total: 12, users: 12, paymentWindowSec: 5 });
    for (const userId of sale.userIds) await buy(sale, userId).then(() => delay(120));
    const due = async () => (await statuses(sale.saleId)).filter((one) => one === 'cancelled, settled');
    await expect.poll(async () => (await due()).length, { timeout: 12_000 }).toBe(12);
    const timers = await db().$queryRaw<{ id: string }[]>`
      SELECT e.id FROM executor.events e JOIN executor.runs r ON r.event_id = e.id
      WHERE e.name = 'orders/due' AND e.payload->'data'->'saleIds'->>0 = ${sale.saleId}`;
    expect(timers.length).toBeGreaterThan(0);
    expect(timers.length).toBeLessThanOrEqual(8);
  });

  it('[C2 C7 E7] an order written in one transaction with its purchase has the same timer', async () => {
    const { sale } = await makeSale({ strategy: 'database', paymentWindowSec: 5, totalStock: 2 });
    const { saleId, epoch } = sale;
    const { gate } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const orderNos: string[] = [];
    for (const { userId } of [await makeUser(), await makeUser()]) {
      const orderNo = await issueOrderNo(userId);
      const purchase = { saleId, epoch, gate, userId, jti: newId('jti'), orderNo, quantity: 1 };
      expect(await purchaseByDatabase(purchase)).toMatchObject({ status: 'accepted' });
      orderNos.push(orderNo);
    }
    expect(await statuses(saleId)).toEqual(['pending_payment', 'pending_payment']);
    expect(await payFor(orderNos[0] ?? '')).toBe('applied');
    await expect
      .poll(() => statuses(saleId), { timeout: 12_000 })
      .toEqual(['paid, settled', 'cancelled, settled']);
    const row = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    expect({ held: row.heldStock, sold: row.soldStock }).toEqual({ held: 0, sold: 1 });
  });

  it('[E5 I9] orders that the database refuses end as dead letters and give their units back', async () => {
    const sale = await createSaleFixture({ total: 3, users: 3 });
    await refuseOrders(sale.saleId);
    await buyForAll(sale);
    await expect
      .poll(() => statuses(sale.saleId), { timeout: 15_000 })
      .toEqual(['failed, settled', 'failed, settled', 'failed, settled']);
    await expect
      .poll(async () => (await countStock(sale.saleId)).redis)
      .toEqual({ available: 3, held: 0, sold: 0 });
    const letters = await db().deadLetter.findMany({ where: { saleId: sale.saleId } });
    expect(letters).toHaveLength(3);
    expect(letters[0]?.error).toContain('broken disk');
  });

  it('[E1] an order is in Postgres soon after its purchase', async () => {
    const sale = await createSaleFixture({ total: 15, users: 15 });
    const tookMs: number[] = [];
    for (const userId of sale.userIds) {
      const { orderNo } = await buy(sale, userId);
      const startedAt = performance.now();
      const isWritten = async () => (await readStates(sale.saleId)).has(orderNo);
      await expect.poll(isWritten, { timeout: 20_000, interval: 5 }).toBe(true);
      tookMs.push(performance.now() - startedAt);
    }
    const median = tookMs.sort((a, b) => a - b)[7] ?? 0;
    console.info(`order in Postgres after ${Math.round(median)} ms (median)`);
    // The goal is 300 ms on an idle machine; the tests run on a busy one.
    expect(median).toBeLessThan(2_000);
  });
});

describe('sendEvent', () => {
  it('[E5] tells what will never be taken from what can only not be taken now', async () => {
    const order = {
      orderNo: '1024',
      userId: newId('user'),
      quantity: 1,
      jti: newId('jti'),
      epoch: 1,
      acceptedAt: 1,
    };
    const data = packOrders([{ saleId: newId('sale'), orders: [{ ...order, quantity: 0 }] }]);
    await expect(sendEvent({ id: 'x1', name: 'orders/accepted', data, ts: 1 })).rejects.toThrow(EventRefused);
    await expect(sendEvent({ id: 'x2', name: 'orders/unheard-of', data: {}, ts: 1 })).rejects.toThrow(
      EventRefused,
    );
    // Starts nothing, and is taken: so the executor takes events.
    await sendEvent({ id: 'x3', name: PROBE_TOPIC, data: {}, ts: 1 });
  });
});
