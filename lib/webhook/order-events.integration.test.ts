import { afterAll, expect, it } from 'vitest';
import { packOrder } from '@/lib/admin/deliveries/pack-order';
import { shipOrder } from '@/lib/admin/deliveries/ship-order';
import { refundOrder } from '@/lib/admin/orders/refund-order';
import { cancelOrder } from '@/lib/checkout/order/cancel-order';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { giveAddress } from '@/lib/checkout/order/give-address';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { buyForAll, createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { webhookEvent } from '@/lib/contract/shapes/webhook';
import { closeDb, db } from '@/lib/db/client';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { closeRedis } from '@/lib/redis/client';
import { announceSales } from './announce-sales';
import { createEventConsumer } from './event-consumer';
import { deliveriesOf, makeWebhook } from './testing/make-webhook';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const NOWHERE = 'https://hooks.example.com/';
const fanOut = async () => {
  while ((await consumeMessages(createEventConsumer())).status === 'consumed');
};
const waiting = () => db().outgoingMessage.count({ where: { topic: 'shop-event' } });

async function makeShop(options: Parameters<typeof createSaleFixture>[0] = {}) {
  const sale = await createSaleFixture(options);
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { sale, shopId: merchantId };
}

it('[O6] writes nothing for a shop without webhooks, and nothing of a kind that none of them wants', async () => {
  const { sale, shopId } = await makeShop({ users: 2 });
  const [first, second] = await buyForAll(sale);
  await createOrders({ saleId: sale.saleId, orders: [first as never] });
  expect(await waiting()).toBe(0);
  await makeWebhook(shopId, NOWHERE, ['order.refunded']);
  await createOrders({ saleId: sale.saleId, orders: [second as never] });
  await payFor(second?.orderNo ?? '');
  expect(await waiting()).toBe(0);
});

it('[O6] tells of each change of an order once, also where its message comes twice', async () => {
  const { sale, shopId } = await makeShop({ users: 2 });
  const { id } = await makeWebhook(shopId, NOWHERE);
  const [paid, cancelled] = await buyForAll(sale);
  if (!paid || !cancelled) throw new Error('two purchases expected');
  await createOrders({ saleId: sale.saleId, orders: [paid, cancelled] });
  expect(await waiting()).toBe(1);
  await createOrders({ saleId: sale.saleId, orders: [paid, cancelled] });
  await payFor(paid.orderNo);
  await cancelOrder(cancelled.userId, cancelled.orderNo);
  const admin = { userId: shopId, role: 'admin' } as const;
  const refund = { reason: 'broken', returnStock: true };
  expect((await refundOrder(admin, paid.orderNo, refund)).status).toBe('refunded');
  await fanOut();
  await db().outgoingMessage.updateMany({
    where: { topic: 'shop-event' },
    data: { sentAt: null, nextAttemptAt: new Date(0) },
  });
  await fanOut();
  const told = (await deliveriesOf(id)).map(({ body, kind, eventId }) => {
    const event = webhookEvent.parse(JSON.parse(body));
    expect(event.type).toBe(kind);
    expect(eventId).toMatch(/^evt_(accepted|change)_\d+$/);
    return `${kind} ${'orderNo' in event.data ? event.data.orderNo : ''}`;
  });
  expect(told.sort()).toEqual(
    [
      `order.accepted ${paid.orderNo}`,
      `order.accepted ${cancelled.orderNo}`,
      `order.cancelled ${cancelled.orderNo}`,
      `order.paid ${paid.orderNo}`,
      `order.refunded ${paid.orderNo}`,
    ].sort(),
  );
  const [first] = await deliveriesOf(id);
  expect(JSON.parse(first?.body ?? '').data).toMatchObject({
    saleId: sale.saleId,
    quantity: 1,
    amountMinor: 1999,
    currency: 'EUR',
  });
});

it('[O6] tells that a parcel is on its way, once, and only who wants to know', async () => {
  const { sale, shopId } = await makeShop({ users: 1 });
  const { productId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  await db().product.update({ where: { id: productId }, data: { delivery: 'shipped' } });
  const [purchase] = await buyForAll(sale);
  if (!purchase) throw new Error('a purchase expected');
  const { orderNo, userId } = purchase;
  await createOrders({ saleId: sale.saleId, orders: [purchase] });
  const house = { name: 'Ada', lines: ['Unter den Linden 1'], city: 'Berlin', postalCode: '10117' };
  const address = { ...house, region: '', country: 'DE', phone: '' };
  expect(await giveAddress(userId, orderNo, address, false)).toBe('kept');
  await payFor(orderNo);
  const deaf = await makeWebhook(shopId, NOWHERE, ['order.paid']);
  const { id } = await makeWebhook(shopId, NOWHERE, ['order.shipped']);
  const staff = { userId: shopId, role: 'merchant' } as const;
  const parcel = { carrier: 'Post', trackingNumber: '00340434' };
  expect((await packOrder(staff, orderNo)).status).toBe('done');
  for (let time = 0; time < 2; time += 1)
    expect((await shipOrder(staff, orderNo, parcel)).status).toBe('done');
  await fanOut();
  const [told, ...more] = await deliveriesOf(id);
  expect(more).toEqual([]);
  expect(webhookEvent.parse(JSON.parse(told?.body ?? ''))).toMatchObject({
    type: 'order.shipped',
    data: {
      orderNo,
      saleId: sale.saleId,
      productId,
      quantity: 1,
      amountMinor: 1999,
      ...parcel,
      trackingUrl: null,
    },
  });
  expect(await deliveriesOf(deaf.id)).toEqual([]);
});

it('[O6] a batch of several shops tells each of its own orders alone', async () => {
  const [one, other] = [await makeShop({ users: 2 }), await makeShop({ users: 1 })];
  const hooks = [await makeWebhook(one.shopId, NOWHERE), await makeWebhook(other.shopId, NOWHERE)];
  const batches = await Promise.all(
    [one, other].map(async ({ sale }) => ({ saleId: sale.saleId, orders: await buyForAll(sale) })),
  );
  await createOrders(...batches);
  await fanOut();
  for (const [at, { saleId, orders }] of batches.entries()) {
    const told = (await deliveriesOf(hooks[at]?.id ?? '')).map(({ body }) => JSON.parse(body).data);
    expect(told.map((data) => data.saleId)).toEqual(orders.map(() => saleId));
    expect(told.map((data) => data.orderNo).sort()).toEqual(orders.map(({ orderNo }) => orderNo).sort());
  }
});

it('[O6] a message that makes no sense becomes a dead letter and holds up no other', async () => {
  const { sale, shopId } = await makeShop({ users: 1 });
  const { id } = await makeWebhook(shopId, NOWHERE);
  await db().outgoingMessage.create({
    data: { topic: 'shop-event', payload: { shopId, kind: 'order.accepted', events: '[{"id":' } },
  });
  await createOrders({ saleId: sale.saleId, orders: await buyForAll(sale) });
  for (let round = 0; round < 10; round += 1) {
    await db().outgoingMessage.updateMany({
      where: { topic: 'shop-event', sentAt: null },
      data: { nextAttemptAt: new Date(0) },
    });
    await consumeMessages(createEventConsumer());
  }
  expect(await deliveriesOf(id)).toHaveLength(1);
  expect(await db().deadLetter.count({ where: { consumer: 'shop-event' } })).toBe(1);
});

it('[O6] tells once that a sale has started, sold out and ended, and nothing from before the webhook', async () => {
  const { sale, shopId } = await makeShop({ users: 1, total: 1 });
  const old = await makeShop({ users: 0 });
  await db().sale.update({
    where: { id: old.sale.saleId },
    data: { startsAt: new Date(Date.now() - 3_600_000), entryOpensAt: new Date(Date.now() - 3_600_000) },
  });
  const late = await makeWebhook(old.shopId, NOWHERE, ['sale.started']);
  const { id } = await makeWebhook(shopId, NOWHERE, ['sale.started', 'sale.sold_out', 'sale.ended']);
  const startsAt = new Date(Date.now() - 1_000);
  await db().sale.update({ where: { id: sale.saleId }, data: { startsAt } });
  const kinds = async () => (await deliveriesOf(id)).map(({ kind }) => kind);
  await announceSales();
  await announceSales();
  expect(await kinds()).toEqual(['sale.started']);
  await createOrders({ saleId: sale.saleId, orders: await buyForAll(sale) });
  await announceSales();
  await db().sale.update({ where: { id: sale.saleId }, data: { status: 'closed', closedAt: new Date() } });
  await Promise.all([announceSales(), announceSales()]);
  expect(await kinds()).toEqual(['sale.started', 'sale.sold_out', 'sale.ended']);
  const [first] = await deliveriesOf(id);
  expect(webhookEvent.parse(JSON.parse(first?.body ?? ''))).toMatchObject({
    timestamp: startsAt.toISOString(),
    data: { saleId: sale.saleId, title: 'Lamp sale', totalStock: 1 },
  });
  expect(await deliveriesOf(late.id)).toEqual([]);
});
