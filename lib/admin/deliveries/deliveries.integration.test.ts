import { afterAll, describe, expect, it } from 'vitest';
import * as addressRoute from '@/app/api/orders/[orderNo]/address/route';
import { eraseUser } from '@/lib/account/erase-user';
import { readSavedAddress } from '@/lib/account/saved-address';
import { cancelOrder } from '@/lib/checkout/order/cancel-order';
import { findOrder } from '@/lib/checkout/order/find-order';
import { payOrder } from '@/lib/checkout/payment/pay-order';
import { createOrderFixture, topicsOf } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { parcel as parcelShape } from '@/lib/contract/shapes/delivery';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { forgetAddresses } from '@/lib/order/forget-addresses';
import { readAddress } from '@/lib/order/read-address';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { listAdminOrders } from '../orders/list-admin-orders';
import { readOrderDetail } from '../orders/read-order-detail';
import { refundOrder } from '../orders/refund-order';
import { deliverOrder } from './deliver-order';
import { packOrder } from './pack-order';
import { shipOrder } from './ship-order';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const ADDRESS = {
  name: 'Ada',
  lines: ['Unter den Linden 1'],
  city: 'Berlin',
  postalCode: '10117',
  country: 'DE',
};
const KEPT = { ...ADDRESS, region: '', phone: '' };
const PARCEL = { carrier: 'Post', trackingNumber: '00340434', trackingUrl: 'https://post.example/00340434' };

/** Makes an unpaid order of a product that is shipped. */
async function order(delivery = 'shipped') {
  const made = await createOrderFixture();
  const sale = await db().sale.findUniqueOrThrow({ where: { id: made.saleId } });
  await db().product.update({ where: { id: sale.productId }, data: { delivery } });
  const merchant = { userId: sale.merchantId, role: 'merchant' as const };
  return { ...made, merchant, session: await sessionOf(made.userId) };
}
type Made = Awaited<ReturnType<typeof order>>;

async function put(
  { session, orderNo }: Pick<Made, 'session' | 'orderNo'>,
  body: unknown = { address: ADDRESS },
) {
  const answer = await callWith(session, addressRoute.PUT as never, {
    method: 'PUT',
    params: { orderNo },
    body,
  });
  return ((await answer.json()) as { code?: string }).code ?? answer.status;
}
async function paid() {
  const made = await order();
  expect(await put(made)).toBe(200);
  await payFor(made.orderNo);
  return made;
}
/** Erases an account, as deleting it does after it has banned it. */
const erase = (userId: string) =>
  transaction(async (tx) => {
    await tx.user.update({ where: { id: userId }, data: { bannedAt: new Date() } });
    await eraseUser(tx, userId);
    await forgetAddresses(tx, userId);
  });
const deliveryOf = async ({ userId, orderNo }: Made) => (await findOrder({ userId }, orderNo))?.delivery;
const entriesOf = (orderNo: string) =>
  db().auditEntry.count({ where: { subjectId: orderNo, action: { startsWith: 'order.' } } });

describe('[O5] the address of an order', () => {
  it('is asked before the payment of what is shipped, and of nothing else', async () => {
    const made = await order();
    expect(await deliveryOf(made)).toMatchObject({ state: 'waiting', hasAddress: false });
    expect(await payOrder(made.userId, made.orderNo)).toEqual({ status: 'address_missing' });
    expect(await put(made)).toBe(200);
    expect(await payOrder(made.userId, made.orderNo)).toMatchObject({ status: 'payable' });
    const digital = await order('none');
    expect(await deliveryOf(digital)).toBeNull();
    expect(await put(digital)).toBe('NO_DELIVERY');
    expect(await payOrder(digital.userId, digital.orderNo)).toMatchObject({ status: 'payable' });
  });

  it('is its shopper’s alone, and nonsense is refused with the name of the field', async () => {
    const made = await order();
    const stranger = await sessionOf((await makeUser()).userId);
    expect(await put({ ...made, session: stranger })).toBe('ORDER_NOT_FOUND');
    expect(await put({ ...made, orderNo: '12' })).toBe('ORDER_NOT_FOUND');
    for (const wrong of [
      { name: 'x'.repeat(10_000) },
      { name: 'Ada\u0001' },
      { country: 'XX' },
      { postalCode: '1' },
      { city: '' },
    ])
      expect(await put(made, { address: { ...ADDRESS, ...wrong } }), JSON.stringify(wrong)).toBe(
        'VALIDATION',
      );
    const read = await callWith(stranger, addressRoute.GET as never, { params: { orderNo: made.orderNo } });
    expect(read.status).toBe(404);
    expect(await readAddress(made.orderNo)).toBeNull();
  });

  it('may be sent twice at once and changed until it is packed; the account keeps it if the shopper wants', async () => {
    const made = await order();
    expect(await Promise.all([put(made), put(made)])).toEqual([200, 200]);
    expect(await readSavedAddress(made.userId)).toEqual(KEPT);
    await payFor(made.orderNo);
    const other = { ...ADDRESS, lines: ['Hof 2'] };
    expect(await put(made, { address: other, save: false })).toBe(200);
    expect(await readAddress(made.orderNo)).toMatchObject({ lines: ['Hof 2'] });
    expect(await readSavedAddress(made.userId)).toEqual(KEPT);
    expect((await packOrder(made.merchant, made.orderNo)).status).toBe('done');
    expect(await put(made)).toBe('ADDRESS_FIXED');
  });

  it('can’t be given to an order that has ended', async () => {
    const made = await order();
    await cancelOrder(made.userId, made.orderNo);
    expect(await put(made)).toBe('ADDRESS_FIXED');
  });

  it('[N2] goes with the account, but for what is still to be shipped', async () => {
    const [open, gone] = [await paid(), await paid()];
    await packOrder(gone.merchant, gone.orderNo);
    await shipOrder(gone.merchant, gone.orderNo, PARCEL);
    for (const { userId } of [open, gone]) await erase(userId);
    expect(await readAddress(gone.orderNo)).toBeNull();
    expect(await readSavedAddress(open.userId)).toBeNull();
    expect(await readAddress(open.orderNo)).toEqual(KEPT);
    await packOrder(open.merchant, open.orderNo);
    expect((await shipOrder(open.merchant, open.orderNo, PARCEL)).status).toBe('done');
    expect(await readAddress(open.orderNo)).toBeNull();
    const refunded = await paid();
    await erase(refunded.userId);
    await refundOrder(refunded.merchant, refunded.orderNo, { reason: 'x', returnStock: true });
    expect(await readAddress(refunded.orderNo)).toBeNull();
  });
});

describe('[O5] the delivery of an order', () => {
  it('goes step by step, each once, on record; the shopper is told when it is on its way', async () => {
    const made = await paid();
    const { merchant, orderNo } = made;
    expect(await shipOrder(merchant, orderNo, PARCEL)).toEqual({ status: 'wrong_state', is: 'waiting' });
    expect(await deliverOrder(merchant, orderNo)).toEqual({ status: 'wrong_state', is: 'waiting' });
    for (let turn = 0; turn < 2; turn += 1) expect((await packOrder(merchant, orderNo)).status).toBe('done');
    for (let turn = 0; turn < 2; turn += 1)
      expect((await shipOrder(merchant, orderNo, PARCEL)).status).toBe('done');
    expect(await shipOrder(merchant, orderNo, { ...PARCEL, trackingNumber: '2' })).toMatchObject({
      status: 'wrong_state',
    });
    expect(await deliveryOf(made)).toMatchObject({ state: 'shipped', ...PARCEL, deliveredAt: null });
    for (let turn = 0; turn < 2; turn += 1)
      expect((await deliverOrder(merchant, orderNo)).status).toBe('done');
    expect(await packOrder(merchant, orderNo)).toEqual({ status: 'wrong_state', is: 'delivered' });
    expect(await entriesOf(orderNo)).toBe(3);
    expect((await topicsOf(orderNo)).filter((topic) => topic.endsWith('order_shipped'))).toEqual([
      'in-app order_shipped',
      'mail order_shipped',
    ]);
  });

  it('is taken by one of two at once, and neither overwrites the other’s parcel', async () => {
    const { merchant, orderNo } = await paid();
    const packed = await Promise.all([packOrder(merchant, orderNo), packOrder(merchant, orderNo)]);
    expect(packed.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(await entriesOf(orderNo)).toBe(1);
    const shipped = await Promise.all([
      shipOrder(merchant, orderNo, PARCEL),
      shipOrder(merchant, orderNo, { ...PARCEL, trackingNumber: '2' }),
    ]);
    expect(shipped.map(({ status }) => status).sort()).toEqual(['done', 'wrong_state']);
    expect(await entriesOf(orderNo)).toBe(2);
  });

  it('needs a paid order with an address, of a product that is shipped', async () => {
    const unpaid = await order();
    expect(await packOrder(unpaid.merchant, unpaid.orderNo)).toEqual({
      status: 'not_paid',
      is: 'pending_payment',
    });
    const digital = await order('none');
    await payFor(digital.orderNo);
    expect(await packOrder(digital.merchant, digital.orderNo)).toEqual({ status: 'no_delivery' });
    // Its merchant has changed the product since.
    await db().product.updateMany({
      where: { merchantId: digital.merchant.userId },
      data: { delivery: 'shipped' },
    });
    expect(await packOrder(digital.merchant, digital.orderNo)).toEqual({ status: 'address_missing' });
    const refunded = await paid();
    await refundOrder(refunded.merchant, refunded.orderNo, { reason: 'x', returnStock: true });
    expect(await packOrder(refunded.merchant, refunded.orderNo)).toEqual({
      status: 'not_paid',
      is: 'refunded',
    });
    expect(await packOrder(await makeUser('merchant'), refunded.orderNo)).toEqual({ status: 'not_found' });
  });

  it('never ends with a parcel packed for a refund that went first', async () => {
    const { merchant, orderNo } = await paid();
    const [refund, pack] = await Promise.all([
      refundOrder(merchant, orderNo, { reason: 'x', returnStock: true }),
      packOrder(merchant, orderNo),
    ]);
    expect(refund.status).toBe('refunded');
    expect(['done', 'not_paid']).toContain(pack.status);
    expect(await shipOrder(merchant, orderNo, PARCEL)).toEqual({ status: 'not_paid', is: 'refunded' });
  });

  it('is listed while it is to be packed; the address is for those who may change orders', async () => {
    const [made, later] = [await paid(), await order()];
    const numbers = async (filter: object) => {
      const page = await listAdminOrders(made.merchant, { limit: 20 }, { toPack: 'true', ...filter });
      return page?.orders.map(({ orderNo, deliveryState }) => [orderNo, deliveryState]);
    };
    expect(await numbers({})).toEqual([[made.orderNo, 'waiting']]);
    expect(await numbers({ user: made.userId })).toEqual([[made.orderNo, 'waiting']]);
    expect((await readOrderDetail(made.merchant, made.orderNo))?.address).toEqual(KEPT);
    expect((await readOrderDetail(await makeUser('auditor'), made.orderNo))?.address).toBeNull();
    await packOrder(made.merchant, made.orderNo);
    expect(await numbers({})).toEqual([]);
    expect(await numbers({ user: made.userId })).toEqual([]);
    expect(later.orderNo).not.toBe(made.orderNo);
  });

  it('takes no link but https', () => {
    for (const trackingUrl of ['http://post.example/1', 'javascript:alert(1)', 'https://', 'https://a b'])
      expect(parcelShape.safeParse({ ...PARCEL, trackingUrl }).success, trackingUrl).toBe(false);
    expect(parcelShape.safeParse({ ...PARCEL, trackingUrl: null }).success).toBe(true);
    expect(parcelShape.safeParse({ ...PARCEL, carrier: 'x'.repeat(10_000) }).success).toBe(false);
  });
});
