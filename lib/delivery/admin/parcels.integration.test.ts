import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { deliveryMove } from '@/lib/contract/shapes/delivery';
import { closeDb, db } from '@/lib/db/client';
import { putAddress } from '@/lib/delivery/records/put-address';
import { KEPT, parcelOrder, sendByParcel } from '@/lib/delivery/testing/parcel-order';
import { listAdminOrders } from '@/lib/order/admin/list-admin-orders';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { findOrder } from '@/lib/order/find-order';
import { createOrderFixture, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { makeMember } from '@/test/support/make-member';
import { makeUser } from '@/test/support/make-sale';
import { lookUpAddress } from './look-up-address';
import { takeStep } from './take-step';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const TRACKING = {
  carrier: 'Post',
  trackingNumber: '00340434',
  trackingUrl: 'https://post.example/00340434',
};
const SHIP = { to: 'shipped', ...TRACKING } as const;
const PACK = { to: 'packed' } as const;
const REFUND = { reason: 'x', returnStock: true };
const entriesOf = async (subjectId: string) =>
  (await db().auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action }) => action,
  );
const statusOf = async (step: Promise<{ status: string }>) => (await step).status;

describe('[O5] a parcel', () => {
  it('goes step by step, each once and on record; its shopper is told when it is on its way', async () => {
    const { merchant, orderNo, userId } = await parcelOrder({ isPaid: true });
    expect(await takeStep(merchant, orderNo, SHIP)).toEqual({ status: 'wrong_step', is: 'waiting' });
    for (let turn = 0; turn < 2; turn += 1)
      for (const move of [PACK, SHIP, { to: 'delivered' }] as const) {
        const result = await takeStep(merchant, orderNo, move);
        expect(result.status, `${move.to} ${turn}`).toBe(
          turn === 0 || move.to === 'delivered' ? 'done' : 'wrong_step',
        );
        if (turn === 0) expect(await statusOf(takeStep(merchant, orderNo, move))).toBe('done');
      }
    expect((await findOrder({ userId }, orderNo))?.delivery).toMatchObject({
      step: 'delivered',
      ...TRACKING,
    });
    expect(await statusOf(takeStep(merchant, orderNo, { to: 'returned', reason: 'broken' }))).toBe('done');
    expect((await findOrder({ userId }, orderNo))?.status).toBe('paid');
    const steps = ['order.pack', 'order.ship', 'order.deliver', 'order.return'];
    expect(await entriesOf(orderNo)).toEqual(steps);
    const told = (await topicsOf(orderNo)).filter((topic) => topic.endsWith('order_shipped'));
    expect(told).toEqual(['in-app order_shipped', 'mail order_shipped']);
  });

  it('is taken by one of two at once, and neither overwrites the number of the other', async () => {
    const { merchant, orderNo } = await parcelOrder({ isPaid: true });
    const packed = await Promise.all([PACK, PACK].map((move) => statusOf(takeStep(merchant, orderNo, move))));
    expect(packed).toEqual(['done', 'done']);
    const numbers = ['1', '2'].map((trackingNumber) => ({ ...SHIP, trackingNumber }));
    const shipped = await Promise.all(numbers.map((move) => statusOf(takeStep(merchant, orderNo, move))));
    expect(shipped.sort()).toEqual(['done', 'wrong_step']);
    expect(await entriesOf(orderNo)).toEqual(['order.pack', 'order.ship']);
  });

  it('needs a paid order with an address, of the own shop', async () => {
    const unpaid = await parcelOrder();
    await putAddress(db(), unpaid.userId, unpaid.orderNo, KEPT);
    expect(await takeStep(unpaid.merchant, unpaid.orderNo, PACK)).toEqual({
      status: 'not_paid',
      is: 'pending_payment',
    });
    const other = await createOrderFixture();
    await payFor(other.orderNo);
    const merchant = await sendByParcel(other.saleId, 'digital');
    expect(await takeStep(merchant, other.orderNo, PACK)).toEqual({ status: 'no_parcel' });
    await sendByParcel(other.saleId);
    expect(await takeStep(merchant, other.orderNo, PACK)).toEqual({ status: 'address_missing' });
    expect(await takeStep(await makeUser('merchant'), other.orderNo, PACK)).toEqual({ status: 'not_found' });
    await expect(
      takeStep(await makeMember(merchant.userId, 'viewer'), other.orderNo, PACK),
    ).rejects.toThrow();
  });

  it('is never packed for a refund that went first; one on its way can be refunded and come back', async () => {
    const made = await parcelOrder({ isPaid: true });
    const { merchant, orderNo } = made;
    const [refund, pack] = await Promise.all([
      refundOrder(merchant, orderNo, REFUND),
      takeStep(merchant, orderNo, PACK),
    ]);
    expect(refund.status).toBe('refunded');
    expect(['done', 'not_paid']).toContain(pack.status);
    const refused = await takeStep(merchant, orderNo, pack.status === 'done' ? SHIP : PACK);
    expect(refused).toEqual({ status: 'not_paid', is: 'refunded' });
    const gone = await parcelOrder({ isPaid: true });
    for (const move of [PACK, SHIP]) await takeStep(gone.merchant, gone.orderNo, move);
    await refundOrder(gone.merchant, gone.orderNo, REFUND);
    const back = takeStep(gone.merchant, gone.orderNo, { to: 'returned', reason: 'x' });
    expect(await statusOf(back)).toBe('done');
  });

  it('is found in the list by how it stands', async () => {
    const { merchant, orderNo, userId } = await parcelOrder({ isPaid: true });
    const found = async (delivery: 'missing' | 'waiting' | 'packed' | 'shipped', filter: object = {}) =>
      (await listAdminOrders(merchant, { limit: 20 }, { delivery, ...filter }))?.orders.map(
        (order) => `${order.orderNo} ${order.delivery}`,
      );
    expect(await found('waiting')).toEqual([`${orderNo} waiting`]);
    expect(await found('waiting', { user: userId })).toEqual([`${orderNo} waiting`]);
    expect(await found('waiting', { status: 'cancelled' })).toEqual([]);
    await takeStep(merchant, orderNo, PACK);
    expect([await found('waiting'), await found('packed'), await found('packed', { orderNo })]).toEqual([
      [],
      [`${orderNo} packed`],
      [`${orderNo} packed`],
    ]);
    const { merchant: other, ...late } = await parcelOrder();
    await payFor(late.orderNo);
    const missing = await listAdminOrders(other, { limit: 20 }, { delivery: 'missing' });
    expect(missing?.orders.map((order) => [order.orderNo, order.delivery])).toEqual([
      [late.orderNo, 'missing'],
    ]);
  });

  it('takes http(s) links alone, and no text without end', () => {
    for (const trackingUrl of ['javascript:alert(1)', 'ftp://a/b', 'https://', 'https://a b', '//a/b'])
      expect(deliveryMove.safeParse({ ...SHIP, trackingUrl }).success, trackingUrl).toBe(false);
    for (const trackingUrl of [null, 'http://post.example/1'])
      expect(deliveryMove.safeParse({ ...SHIP, trackingUrl }).success).toBe(true);
    expect(deliveryMove.safeParse({ ...SHIP, carrier: 'x'.repeat(10_000) }).success).toBe(false);
  });
});

it('[O5 L4 L5] an address is shown to those who work in the shop or help people, and each look is on record', async () => {
  const { merchant, orderNo, userId } = await parcelOrder({ isPaid: true });
  const support: Actor = { ...(await makeUser('support')), role: 'support' };
  const editor = await makeMember(merchant.userId, 'editor');
  for (const actor of [merchant, support, editor]) expect(await lookUpAddress(actor, orderNo)).toEqual(KEPT);
  expect(await entriesOf(userId)).toEqual(['person.address', 'person.address', 'person.address']);
  const auditor: Actor = { ...(await makeUser('auditor')), role: 'auditor' };
  for (const actor of [auditor, await makeMember(merchant.userId, 'viewer')])
    await expect(lookUpAddress(actor, orderNo)).rejects.toThrow();
  expect(await lookUpAddress(await makeUser('merchant'), orderNo)).toBeUndefined();
  expect(await entriesOf(userId)).toHaveLength(3);
});
