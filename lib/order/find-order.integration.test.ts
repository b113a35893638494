import { afterAll, describe, expect, it } from 'vitest';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { closeDb, db } from '@/lib/db/client';
import { identifyReader } from '@/lib/entry/identify-reader';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { encodeCursor } from '@/lib/http/cursor';
import { newId } from '@/lib/ids/new-id';
import { listOrders } from '@/lib/order/records/list-orders';
import { openSale, readOpenSales, retireSale } from '@/lib/outbox/open-sales';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buy, buyForAll, createSaleFixture, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { retireEndedSales } from '@/lib/recovery/retire-ended-sales';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createOrders } from '@/lib/settlement/create-orders';
import { releaseStock } from '@/lib/stock/release-stock';
import { sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { findOrder } from './find-order';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

describe('findOrder', () => {
  it('[E1] queued from Redis alone, then pending from Postgres, for its buyer only', async () => {
    const sale = await createSaleFixture({ limit: 3 });
    const [userId = '', stranger = ''] = sale.userIds;
    const order = await buy(sale, userId, 2);
    const { orderNo } = order;
    const queued = {
      orderNo,
      saleId: sale.saleId,
      saleTitle: 'Lamp sale',
      imageUrl: '/products/lamp.svg',
      status: 'queued',
      quantity: 2,
      unitPriceMinor: 1999,
      amountMinor: 3998,
      currency: 'EUR',
      payBy: null,
      version: 0,
    };
    // Once with the sale known from an entry token, and once with a session only, which searches the open sales.
    expect(await findOrder({ userId, saleId: sale.saleId }, orderNo)).toMatchObject(queued);
    expect(await findOrder({ userId }, orderNo)).toMatchObject(queued);
    expect(await findOrder({ userId: stranger }, orderNo)).toBeNull();
    expect(await findOrder({ userId, saleId: 'sale_other' }, orderNo)).toBeNull();
    expect(await findOrder({ userId }, '1024')).toBeNull();

    await createOrders({ saleId: sale.saleId, orders: [order] });
    const found = await findOrder({ userId }, orderNo);
    expect(found).toMatchObject({
      ...queued,
      status: 'pending_payment',
      payBy: expect.any(Number),
      version: 1,
      provider: 'sandbox',
    });
    expect(Math.abs((found?.serverTime ?? 0) - Date.now())).toBeLessThan(5_000);
    expect((found?.payBy ?? 0) - (found?.serverTime ?? 0)).toBeGreaterThan(890_000);
    expect(await findOrder({ userId: stranger }, orderNo)).toBeNull();
    expect(await findOrder({ userId, saleId: 'sale_other' }, orderNo)).toBeNull();
  });

  it('[E1 K2] is found by its session alone among hundreds of sales that are over and were never closed', async () => {
    const sale = await createSaleFixture();
    const [userId = ''] = sale.userIds;
    const { orderNo } = await buy(sale, userId);
    const over = Array.from({ length: 300 }, (_, nth) => `sale_0${nth}`);
    await stockRedis().sadd(keys.openSales(), ...over);
    expect(await findOrder({ userId }, orderNo)).toMatchObject({ status: 'queued', saleId: sale.saleId });
    await stockRedis().srem(keys.openSales(), ...over);
  });

  it('[E1 E6] a purchase that was given up is failed, not queued for ever', async () => {
    const sale = await createSaleFixture();
    const [userId = ''] = sale.userIds;
    const { orderNo } = await buy(sale, userId);
    // This is how a rebuild remembers a purchase that found no free unit: it may still become an order.
    await releaseStock({ saleId: sale.saleId, userId, orderNo });
    expect(await findOrder({ userId }, orderNo)).toMatchObject({ status: 'queued', endReason: null });
    // Given up on record: a dead letter for a purchase that can't even be written as failed.
    await recordDeadLetter({
      consumer: 'create-orders',
      messageId: orderNo,
      saleId: sale.saleId,
      orderNo: BigInt(orderNo),
      payload: {},
      error: 'not writable',
    });
    expect(await findOrder({ userId }, orderNo)).toMatchObject({
      status: 'failed',
      endReason: 'not_writable',
    });
  });
});

describe('identifyReader', () => {
  it('[E1] a valid entry token speaks for its user, in its sale', async () => {
    const claims = { userId: newId('user'), saleId: newId('sale'), level: 0, jti: newId('jti'), device: '' };
    const token = signEntryToken({ ...claims, expiresAt: Date.now() + 60_000 });
    const headers = new Headers({ 'x-entry-token': token });
    expect(await identifyReader(headers)).toEqual({ userId: claims.userId, saleId: claims.saleId });
  });

  it.each([
    ['nothing', ''],
    ['garbage', 'nonsense'],
    ['garbage of our length', 'x'.repeat(1025)],
    ['an expired token', 'expired'],
    ['a forged token', 'forged'],
  ])('[E1] %s does not: the session is asked instead', async (_name, kind) => {
    const claims = { userId: newId('user'), saleId: newId('sale'), level: 0, jti: newId('jti'), device: '' };
    const token = signEntryToken({ ...claims, expiresAt: Date.now() + (kind === 'expired' ? -1 : 60_000) });
    const given =
      { expired: token, forged: `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}` }[kind] ?? kind;
    const headers = new Headers({ 'x-entry-token': given });
    expect(await identifyReader(headers)).toBeNull();
    const { userId } = await makeUser();
    headers.set('cookie', `${sessionCookieName()}=${await sessionOf(userId)}`);
    expect(await identifyReader(headers)).toEqual({ userId });
  });
});

describe('listOrders', () => {
  it('[E8 K2] pages through a user’s own orders, newest first, each once', async () => {
    const sale = await createSaleFixture({ total: 100, limit: 20, users: 2 });
    const [userId = '', other = ''] = sale.userIds;
    const mine = [];
    for (let n = 0; n < 7; n += 1) mine.push(await buy(sale, userId));
    const theirs = await buy(sale, other);
    await createOrders({ saleId: sale.saleId, orders: [...mine, theirs] });

    const seen: string[] = [];
    let cursor: string | undefined;
    const sizes: number[] = [];
    do {
      const page = await listOrders(userId, { cursor, limit: 3 });
      seen.push(...(page?.orders ?? []).map(({ orderNo }) => orderNo));
      sizes.push(page?.orders.length ?? 0);
      cursor = page?.nextCursor ?? undefined;
    } while (cursor);
    expect(sizes).toEqual([3, 3, 1]);
    expect(seen).toEqual(mine.map(({ orderNo }) => orderNo).reverse());
    expect(await listOrders(newId('user'), { limit: 20 })).toEqual({ orders: [], nextCursor: null });
    expect(await listOrders(userId, { cursor: encodeCursor('nonsense'), limit: 3 })).toBeNull();
  });
});

describe('retireEndedSales', () => {
  it('[E3] only when over, with an empty outbox and every order settled', async () => {
    const sale = await createSaleFixture({ total: 5, users: 2 });
    const { saleId } = sale;
    const orders = await buyForAll(sale);
    const [first = '', second = ''] = orders.map(({ orderNo }) => orderNo);
    const isOpen = async () => {
      await retireEndedSales();
      return (await readOpenSales()).includes(saleId);
    };
    expect(await isOpen()).toBe(true);
    await db().$executeRaw`UPDATE sales SET status = 'closed', closed_at = now() WHERE id = ${saleId}`;
    expect(await isOpen()).toBe(true);
    await createOrders({ saleId, orders });
    await stockRedis().del(keys.outbox(saleId));
    expect(await isOpen()).toBe(true);
    await makeOverdue([first]);
    await releaseUnpaid([first]);
    await payFor(second);
    expect(await isOpen()).toBe(true);
    await db().$executeRaw`UPDATE orders SET stock_settled_at = now() WHERE sale_id = ${saleId}`;
    expect(await isOpen()).toBe(false);
    await openSale(saleId);
    await retireSale(saleId);
    await retireSale(saleId);
  });

  it('[E3] a day after it has ended by itself, also when nobody closes it', async () => {
    const { saleId } = await createSaleFixture();
    const endedAgo = (age: string) =>
      db()
        .$executeRaw`UPDATE sales SET entry_opens_at = now() - interval '3 days', starts_at = now() - interval '3 days', ends_at = now() - ${age}::interval WHERE id = ${saleId}`;
    await endedAgo('23 hours');
    expect(await retireEndedSales()).not.toContain(saleId);
    await endedAgo('25 hours');
    expect(await retireEndedSales()).toContain(saleId);
    expect(await readOpenSales()).not.toContain(saleId);
  });
});
