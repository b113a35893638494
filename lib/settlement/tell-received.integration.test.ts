import { afterAll, beforeEach, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { LOAD_USER } from '@/lib/ids/load-user';
import { readNotices } from '@/lib/order/read-notices';
import { claimReceived } from '@/lib/order/records/claim-received';
import { createOrderFixture, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buyForAll, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { createOrders } from './create-orders';
import { tellReceived } from './tell-received';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
});

/** As if the orders so far had been written a minute ago. */
const makeDue = () =>
  db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE topic = 'orders/received'`;
const RECEIVED = ['in-app payment_reminder', 'mail payment_reminder'];

it('[O7] an order that is not paid a minute later is told of once, by however many workers', async () => {
  const order = await createOrderFixture();
  const { orderNo, saleId, userId } = order;
  const [waits] = await db().$queryRaw<{ sec: number }[]>`
    SELECT extract(epoch FROM next_attempt_at - created_at)::int AS sec FROM outgoing_messages`;
  expect(waits).toEqual({ sec: 60 });
  expect(await topicsOf(orderNo)).toEqual([]);
  await createOrders({ saleId, orders: [order] });
  await makeDue();
  // A worker that dies has told nobody; meanwhile no other one takes its message.
  const dying = db().$transaction(async (tx) => {
    expect(await claimReceived(tx)).toEqual([{ orderNo, saleId }]);
    expect(await tellReceived()).toBe(0);
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
  const counts = await Promise.all([tellReceived(), tellReceived(), tellReceived()]);
  expect(counts.toSorted()).toEqual([0, 0, 1]);
  expect(await tellReceived()).toBe(0);
  expect(await topicsOf(orderNo)).toEqual(RECEIVED);

  const messages = await db().outgoingMessage.findMany({ where: { topic: 'mail' } });
  const told = await readNotices(
    messages.map(({ payload }) => ({ id: '1', attempts: 1, payload: payload as Record<string, string> })),
  );
  const { payBy } = await db().order.findFirstOrThrow({ where: { id: BigInt(orderNo) } });
  expect(told).toMatchObject([
    { kind: 'order_received', key: `order_received-${orderNo}`, userId, orderNo, payBy: payBy.getTime() },
  ]);
});

it('[O7] nobody is told of an order that was paid or ended meanwhile, nor of a unit from the waitlist, nor a load-test user', async () => {
  const [paid, cancelled, given, unpaid] = [
    await createOrderFixture(),
    await createOrderFixture(),
    await createOrderFixture(),
    await createOrderFixture(),
  ];
  const load = await createOrderFixture();
  await db().$executeRaw`
    INSERT INTO users (id, email, name, password_hash)
    VALUES (${`${LOAD_USER}0000001`}, 'loadtest-0000001@example.com', 'Load test 1', '!')`;
  await db().$executeRaw`
    UPDATE orders SET user_id = ${`${LOAD_USER}0000001`} WHERE id = ${BigInt(load.orderNo)}`;
  await payFor(paid.orderNo);
  await db().$executeRaw`
    UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired'
    WHERE id = ${BigInt(cancelled.orderNo)}`;
  await db().waitlistEntry.create({
    data: {
      saleId: given.saleId,
      number: 1,
      userId: given.userId,
      jti: 'jti_1',
      orderNo: BigInt(given.orderNo),
    },
  });
  await makeDue();
  expect(await tellReceived()).toBe(1);
  expect(await topicsOf(unpaid.orderNo)).toEqual(RECEIVED);
  for (const { orderNo } of [paid, cancelled, given, load])
    expect((await topicsOf(orderNo)).join()).not.toContain('payment_reminder');
});

it('[O7] one message names all orders of a statement; while many mails wait nobody is told', async () => {
  const sale = await createSaleFixture({ users: 3, total: 3 });
  const orders = await buyForAll(sale);
  await createOrders({ saleId: sale.saleId, orders });
  expect(await db().outgoingMessage.count()).toBe(1);
  await makeDue();
  await db().$executeRaw`
    INSERT INTO outgoing_messages (topic, payload, next_attempt_at)
    SELECT 'mail', '{}', now() + interval '1 hour' FROM generate_series(1, 1000)`;
  expect(await tellReceived()).toBe(0);
  await db().$executeRaw`
    UPDATE outgoing_messages SET sent_at = now() WHERE id = (
      SELECT id FROM outgoing_messages WHERE topic = 'mail' LIMIT 1)`;
  expect(await tellReceived()).toBe(3);
  for (const { orderNo } of orders) expect(await topicsOf(orderNo)).toEqual(RECEIVED);
});
