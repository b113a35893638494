import { afterAll, describe, expect, it } from 'vitest';
import * as savedRoute from '@/app/api/account/addresses/[addressId]/route';
import * as listRoute from '@/app/api/account/addresses/route';
import * as orderRoute from '@/app/api/orders/[orderNo]/address/route';
import type { SavedAddress } from '@/lib/contract/shapes/address';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { shardOf } from '@/lib/ids/shard-of';
import { cancelOrder } from '@/lib/order/cancel-order';
import { findOrder } from '@/lib/order/find-order';
import { payOrder } from '@/lib/payment/pay-order';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buy, createSaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { forgetAddresses, forgetAddressesOf } from './records/forget-addresses';
import { readDelivery } from './records/read-delivery';
import { ADDRESS, KEPT, type ParcelOrder, parcelOrder, sendByParcel } from './testing/parcel-order';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

type Answer = { code?: string; fields?: { path: string }[]; addresses?: SavedAddress[] };

async function call(session: string, handler: unknown, options: Parameters<typeof callWith>[2]) {
  const answer = await callWith(session, handler as never, options);
  const body = (await answer.json()) as Answer;
  return { status: answer.status, says: body.code ?? answer.status, ...body };
}
const put = async (
  { session, orderNo }: Pick<ParcelOrder, 'session' | 'orderNo'>,
  body: unknown = { address: ADDRESS },
) => call(session, orderRoute.PUT, { method: 'PUT', params: { orderNo }, body });
/** Returns a new id in the shard of somebody else: only the owner tells their orders apart. */
function idIn(shard: number): string {
  for (;;) {
    const id = newId('user');
    if (shardOf(id) === shard) return id;
  }
}
const listOf = async (session: string) => (await call(session, listRoute.GET, {})).addresses ?? [];
const addressOf = async (orderNo: string) => (await readDelivery(orderNo))?.address ?? null;

describe('[O5] the address of an order', () => {
  it('is asked before a parcel is paid, and of nothing else; the time to pay stays', async () => {
    const made = await parcelOrder();
    const before = await findOrder(made, made.orderNo);
    expect(before?.delivery).toMatchObject({ way: 'parcel', step: 'waiting', hasAddress: false });
    expect(await payOrder(made.userId, made.orderNo)).toEqual({ status: 'address_missing' });
    expect((await put(made)).says).toBe(200);
    expect(await payOrder(made.userId, made.orderNo)).toMatchObject({ status: 'payable' });
    expect((await findOrder(made, made.orderNo))?.payBy).toBe(before?.payBy);

    const other = await createOrderFixture();
    const session = await sessionOf(other.userId);
    expect((await findOrder(other, other.orderNo))?.delivery).toBeNull();
    expect((await put({ session, orderNo: other.orderNo })).says).toBe('NO_PARCEL');
    expect(await payOrder(other.userId, other.orderNo)).toMatchObject({ status: 'payable' });
  });

  it('is its shopper’s alone; nonsense is refused with the name of the field', async () => {
    const made = await parcelOrder();
    for (const stranger of [await makeUser(), await makeUser('shopper', 0, idIn(made.shard))]) {
      const session = await sessionOf(stranger.userId);
      expect((await put({ ...made, session })).says).toBe('ORDER_NOT_FOUND');
      expect((await call(session, orderRoute.GET, { params: { orderNo: made.orderNo } })).status).toBe(404);
    }
    expect((await put({ ...made, orderNo: '12' })).says).toBe('ORDER_NOT_FOUND');
    for (const [wrong, path] of [
      [{ name: 'x'.repeat(10_000) }, 'address.name'],
      [{ name: 'Ada\u0001' }, 'address.name'],
      [{ name: '!!!' }, 'address.name'],
      [{ lines: ['a\nb'] }, 'address.lines.0'],
      [{ country: 'XX' }, 'address.country'],
      [{ postalCode: '1' }, 'address.postalCode'],
      [{ city: '' }, 'address.city'],
    ] as const) {
      const refused = await put(made, { address: { ...ADDRESS, ...wrong } });
      expect([refused.says, refused.fields?.map((field) => field.path)], path).toEqual([
        'VALIDATION',
        [path],
      ]);
    }
    expect(await addressOf(made.orderNo)).toBeNull();
  });

  it('waits until the order is written, and cannot be given to one that has ended', async () => {
    const sale = await createSaleFixture({ users: 1 });
    await sendByParcel(sale.saleId);
    const [userId = ''] = sale.userIds;
    const { orderNo } = await buy(sale, userId);
    expect((await put({ session: await sessionOf(userId), orderNo })).says).toBe('ORDER_NOT_WRITTEN');
    const made = await parcelOrder();
    await cancelOrder(made.userId, made.orderNo);
    expect((await put(made)).says).toBe('ADDRESS_FIXED');
  });

  it('may be sent twice at once and changed until it is packed; the account keeps it if the shopper wants', async () => {
    const made = await parcelOrder();
    const both = await Promise.all([put(made), put(made, { address: ADDRESS, save: true })]);
    expect(both.map(({ says }) => says)).toEqual([200, 200]);
    expect((await listOf(made.session)).map(({ address }) => address)).toEqual([KEPT]);
    await payFor(made.orderNo);
    expect((await put(made, { address: { ...ADDRESS, lines: ['Hof 2'] } })).says).toBe(200);
    expect(await addressOf(made.orderNo)).toMatchObject({ lines: ['Hof 2'] });
    expect(await listOf(made.session)).toHaveLength(1);
    await db()
      .$executeRaw`UPDATE deliveries SET step = 'packed', packed_at = now() WHERE order_id = ${BigInt(made.orderNo)}`;
    expect((await put(made)).says).toBe('ADDRESS_FIXED');
  });
});

describe('[O5] the addresses that an account keeps', () => {
  it('are added, changed and removed by their owner alone, up to five, the one used last first', async () => {
    const session = await sessionOf((await makeUser()).userId);
    const add = (name: string) =>
      call(session, listRoute.POST, { method: 'POST', body: { address: { ...ADDRESS, name } } });
    const all = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(add));
    expect(all.map(({ says }) => says).sort()).toEqual([201, 201, 201, 201, 201, 'ADDRESSES_FULL']);
    const [, second] = await listOf(session);
    const params = { addressId: second?.addressId ?? '' };
    const change = { method: 'PUT', params, body: { address: { ...ADDRESS, name: 'Zoë' } } };
    const stranger = await sessionOf((await makeUser()).userId);
    for (const by of [stranger])
      for (const one of [change, { method: 'DELETE', params }])
        expect((await call(by, one.method === 'PUT' ? savedRoute.PUT : savedRoute.DELETE, one)).says).toBe(
          'ADDRESS_NOT_FOUND',
        );
    expect((await call(session, savedRoute.PUT, change)).addresses?.[0]).toMatchObject({
      addressId: params.addressId,
      address: { name: 'Zoë' },
    });
    expect((await call(session, savedRoute.DELETE, { method: 'DELETE', params })).addresses).toHaveLength(4);
    const again = await call(session, savedRoute.DELETE, { method: 'DELETE', params });
    expect(again.says).toBe('ADDRESS_NOT_FOUND');
    const wrong = { ...change, body: { address: { ...ADDRESS, postalCode: 'x' } } };
    expect((await call(session, savedRoute.PUT, wrong)).fields).toMatchObject([
      { path: 'address.postalCode' },
    ]);
  });
});

describe('[O5 N2] addresses are forgotten', () => {
  it('with their account, but for what is paid and still to be shipped; that follows once it is', async () => {
    const [open, unpaid] = [await parcelOrder({ isPaid: true }), await parcelOrder()];
    await put(open, { address: ADDRESS, save: true });
    await put(unpaid);
    await cancelOrder(unpaid.userId, unpaid.orderNo);
    for (const { userId } of [open, unpaid]) {
      await transaction((tx) => forgetAddressesOf(tx, userId));
      await db().user.update({
        where: { id: userId },
        data: { deletedAt: new Date(), bannedAt: new Date() },
      });
    }
    expect(await db().savedAddress.count({ where: { userId: open.userId } })).toBe(0);
    expect(await addressOf(unpaid.orderNo)).toBeNull();
    expect(await addressOf(open.orderNo)).toEqual(KEPT);
    await forgetAddresses();
    expect(await addressOf(open.orderNo)).toEqual(KEPT);
    await db().$executeRaw`
      UPDATE deliveries SET step = 'shipped', packed_at = now(), shipped_at = now() WHERE order_id = ${BigInt(open.orderNo)}`;
    await forgetAddresses();
    expect(await addressOf(open.orderNo)).toBeNull();
  });

  it('180 days after the last step, and not before', async () => {
    const [old, young] = [await parcelOrder({ isPaid: true }), await parcelOrder({ isPaid: true })];
    for (const [{ orderNo }, days] of [
      [old, 181],
      [young, 179],
    ] as const)
      await db().$executeRaw`
        UPDATE deliveries SET updated_at = now() - make_interval(days => ${days}::int) WHERE order_id = ${BigInt(orderNo)}`;
    expect(await forgetAddresses()).toBe(1);
    expect(await addressOf(old.orderNo)).toBeNull();
    expect(await addressOf(young.orderNo)).toEqual(KEPT);
  });
});
