import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmStock } from './confirm-stock';
import { findBuyerOrder } from './find-buyer-order';
import { purchaseStock } from './purchase-stock';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { StockCorruptError } from './run-stock-script';
import { openSale, purchaseOf } from './testing/open-sale';

afterAll(closeRedis);

async function heldOrder(total = 10, quantity = 2) {
  const saleId = await openSale({ total, limit: 5 });
  const order = purchaseOf(saleId, 'ada', { quantity });
  expect(await purchaseStock(order)).toMatchObject({ status: 'accepted' });
  return order;
}

describe('confirm', () => {
  it('[C6] moves held to sold, once', async () => {
    const order = await heldOrder();
    expect(await confirmStock(order)).toEqual({ status: 'confirmed' });
    expect(await confirmStock(order)).toEqual({ status: 'already_confirmed' });
    expect(await releaseStock(order)).toEqual({ status: 'already_confirmed' });
    expect(await readStock(order.saleId)).toMatchObject({ available: 8, held: 0, sold: 2, total: 10 });
    expect(await findBuyerOrder(order)).toMatchObject({ state: 'sold', quantity: 2, jti: order.jti });
  });

  it('[C6] picks the right order among several', async () => {
    const first = await heldOrder();
    // The second purchase's token id looks like the first order's number.
    const second = purchaseOf(first.saleId, 'ada', { jti: first.orderNo });
    await purchaseStock(second);
    expect(await confirmStock(second)).toEqual({ status: 'confirmed' });
    expect(await findBuyerOrder(first)).toMatchObject({ state: 'held' });
    expect(await findBuyerOrder(second)).toMatchObject({ state: 'sold' });
  });
});

describe('release', () => {
  it('[C6 C7] moves held to available, once, and the units sell again', async () => {
    const order = await heldOrder(2, 2);
    expect((await readStock(order.saleId))?.soldOutAt).not.toBeNull();
    expect(await releaseStock(order)).toEqual({ status: 'released' });
    expect(await releaseStock(order)).toEqual({ status: 'already_released' });
    expect(await confirmStock(order)).toEqual({ status: 'already_released' });
    const stock = await readStock(order.saleId);
    expect(stock).toMatchObject({ available: 2, held: 0, sold: 0, total: 2, soldOutAt: null });
    expect(await purchaseStock(purchaseOf(order.saleId, 'ada'))).toMatchObject({ status: 'accepted' });
    expect(await purchaseStock(purchaseOf(order.saleId, 'ben'))).toMatchObject({ status: 'accepted' });
  });

  it('[C6] of an unlimited sale only counts', async () => {
    const order = await heldOrder(-1);
    await releaseStock(order);
    expect(await readStock(order.saleId)).toMatchObject({ total: -1, available: -1, held: 0, sold: 0 });
  });
});

describe.each([
  ['confirm', confirmStock],
  ['release', releaseStock],
] as const)('%s refuses', (_, verb) => {
  it('[C6] orders, users and sales it does not know', async () => {
    const order = await heldOrder();
    expect(await verb({ ...order, orderNo: '4' })).toEqual({ status: 'unknown_order' });
    expect(await verb({ ...order, orderNo: order.orderNo.slice(1) })).toEqual({ status: 'unknown_order' });
    expect(await verb({ ...order, orderNo: '%d+' })).toEqual({ status: 'unknown_order' });
    expect(await verb({ ...order, userId: 'ben' })).toEqual({ status: 'unknown_order' });
    expect(await verb({ ...order, saleId: 'sale_nowhere' })).toEqual({ status: 'unknown_sale' });
    expect(await verb({ ...order, saleId: '{}' })).toEqual({ status: 'unknown_sale' });
    expect(await readStock(order.saleId)).toMatchObject({ available: 8, held: 2, sold: 0 });
  });

  it('[C6] to work on numbers that do not add up', async () => {
    const order = await heldOrder();
    await stockRedis().hset(keys.sale(order.saleId), { held: 1, available: 9 });
    await expect(verb(order)).rejects.toThrow(StockCorruptError);
    expect(await readStock(order.saleId)).toMatchObject({ available: 9, held: 1, sold: 0 });
  });
});
