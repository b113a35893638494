import { afterAll, expect, it } from 'vitest';
import { confirmPaid } from '@/lib/checkout/order/confirm-paid';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { buyForAll, createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeWebhook } from '@/lib/webhook/testing/make-webhook';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import type { Actor } from '../actor';
import { refundOrder } from '../orders/refund-order';
import { publishSale } from '../sales/publish-sale';
import { readHome } from './read-home';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;

/** Makes a running sale of three units at 19.99, two of them paid for and one waiting, and tells whose it is. */
async function makeRunning() {
  const sale = await createSaleFixture({ total: 4, users: 3 });
  const orders = await buyForAll(sale);
  await createOrders({ saleId: sale.saleId, orders });
  const [first, second] = orders.map(({ orderNo }) => orderNo);
  if (!first || !second) throw new Error('three purchases expected');
  await payFor(first);
  await payFor(second);
  await confirmPaid([first, second].map((orderNo) => ({ saleId: sale.saleId, orderNo })));
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  await db().user.update({ where: { id: merchantId }, data: { role: 'merchant' } });
  const merchant: Actor = { userId: merchantId, role: 'merchant' };
  return { sale, merchant, first };
}

it('[O11] the first page tells the money of the day, what runs and what waits, and no other shop’s', async () => {
  const { sale, merchant, first } = await makeRunning();
  const home = await readHome(merchant, Date.now() - HOUR_MS);
  expect(home).toMatchObject({
    takings: [{ currency: 'EUR', paidMinor: 3998, orders: 2, items: 2 }],
    running: [{ saleId: sale.saleId, phase: 'live', total: 4, held: 1, sold: 2, paidMinor: 3998 }],
    runningCount: 1,
    next: [],
    nextCount: 0,
    drafts: 0,
    needs: { alerts: 0, approvals: 0, deadLetters: 0, webhooks: 0 },
  });

  // Money that was given back is nobody's takings.
  const admin: Actor = { userId: merchant.userId, role: 'admin' };
  await refundOrder(admin, first, { reason: 'broken', returnStock: false });
  expect(await readHome(merchant, Date.now() - HOUR_MS)).toMatchObject({
    takings: [{ paidMinor: 1999, orders: 1, items: 1 }],
    running: [{ paidMinor: 1999 }],
  });

  // What was paid before the day began counts for the sale, not for the day.
  await db().order.updateMany({
    where: { saleId: sale.saleId },
    data: { paidAt: new Date(Date.now() - 2 * HOUR_MS) },
  });
  expect(await readHome(merchant, Date.now() - HOUR_MS)).toMatchObject({
    takings: [],
    running: [{ paidMinor: 1999 }],
  });
});

it('[O11] the next sale stands first, drafts are counted, and an empty shop has nothing', async () => {
  const { sale, merchant } = await makeDraft();
  expect(await readHome(merchant, undefined)).toMatchObject({ drafts: 1, next: [], nextCount: 0 });
  const startsAt = new Date(Date.now() + HOUR_MS);
  const endsAt = new Date(Date.now() + 2 * HOUR_MS);
  await db().sale.update({ where: { id: sale.saleId }, data: { startsAt, endsAt } });
  expect((await publishSale(merchant, sale.saleId)).status).toBe('changed');
  expect(await readHome(merchant, undefined)).toMatchObject({
    drafts: 0,
    next: [{ saleId: sale.saleId, phase: 'scheduled', startsAt: startsAt.getTime() }],
    nextCount: 1,
    running: [],
  });
  expect(await readHome({ userId: 'user_nobody', role: 'merchant' }, 0)).toMatchObject({
    takings: [],
    running: [],
    next: [],
    drafts: 0,
  });
});

it('[O6] webhooks that turned themselves off wait for an owner, and for nobody else of the shop', async () => {
  const { merchant } = await makeDraft();
  const off = { disabledAt: new Date(), disabledWhy: 'gone' };
  const { id } = await makeWebhook(merchant.userId, 'https://hooks.example.com/');
  await db().webhookEndpoint.update({ where: { id }, data: off });
  const editor = await makeUser('merchant');
  const member = { shopId: merchant.userId, role: 'editor', addedBy: merchant.userId };
  await db().shopMember.create({ data: { ...member, userId: editor.userId } });
  expect((await readHome(merchant, 0)).needs.webhooks).toBe(1);
  expect((await readHome({ userId: editor.userId, role: 'merchant' }, 0)).needs.webhooks).toBe(0);
  await db().webhookEndpoint.update({ where: { id }, data: { disabledWhy: 'staff' } });
  expect((await readHome(merchant, 0)).needs.webhooks).toBe(0);
});

it('[O11] nobody learns of more than a week', async () => {
  const { merchant } = await makeDraft();
  expect((await readHome(merchant, 0)).from).toBeGreaterThan(Date.now() - 8 * 24 * HOUR_MS);
});
