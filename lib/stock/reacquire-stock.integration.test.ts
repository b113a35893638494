import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmStock } from './confirm-stock';
import { findBuyerOrder } from './find-buyer-order';
import { purchaseStock } from './purchase-stock';
import { reacquireStock } from './reacquire-stock';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { StockCorruptError } from './run-stock-script';
import { takeBackStock } from './take-back-stock';
import { openSale, purchaseOf } from './testing/open-sale';

afterAll(closeRedis);

async function releasedOrder({ total = 3, limit = 2, quantity = 2 } = {}) {
  const saleId = await openSale({ total, limit });
  const order = purchaseOf(saleId, 'ada', { quantity });
  await purchaseStock(order);
  await releaseStock(order);
  return { ...order, units: quantity };
}
const tiers = async (saleId: string) => {
  const stock = await readStock(saleId);
  return stock && [stock.total, stock.available, stock.held, stock.sold];
};
const stateOf = async (order: Parameters<typeof findBuyerOrder>[0]) => (await findBuyerOrder(order))?.state;

describe('retake', () => {
  it('[C6 I10] takes released units again, once, to be held or sold', async () => {
    const held = await releasedOrder();
    expect(await reacquireStock({ ...held, as: 'held' })).toEqual({ status: 'retaken' });
    expect(await reacquireStock({ ...held, as: 'held' })).toEqual({ status: 'already_held' });
    expect(await tiers(held.saleId)).toEqual([3, 1, 2, 0]);
    expect(await reacquireStock({ ...held, as: 'sold' })).toEqual({ status: 'retaken' });
    expect(await reacquireStock({ ...held, as: 'sold' })).toEqual({ status: 'already_confirmed' });
    expect(await tiers(held.saleId)).toEqual([3, 1, 0, 2]);
    expect(await stateOf(held)).toBe('sold');
    expect(await confirmStock(held)).toEqual({ status: 'already_confirmed' });
  });

  it('[C6 I10] not what others have, and not beyond the limit', async () => {
    const gone = await releasedOrder({ total: 2 });
    await purchaseStock(purchaseOf(gone.saleId, 'ben'));
    expect(await reacquireStock({ ...gone, as: 'sold' })).toEqual({ status: 'sold_out' });
    expect(await tiers(gone.saleId)).toEqual([2, 1, 1, 0]);
    const again = await releasedOrder({ total: 9 });
    await purchaseStock(purchaseOf(again.saleId, 'ada'));
    expect(await reacquireStock({ ...again, as: 'sold' })).toEqual({ status: 'over_limit' });
    expect(await stateOf(again)).toBe('released');
    expect(await reacquireStock({ ...again, saleId: 'sale_none', as: 'held' })).toEqual({
      status: 'unknown_sale',
    });
  });

  it('[C6 I10] of a purchase that a rebuild forgot, and of unlimited stock', async () => {
    const saleId = await openSale({ total: 1 });
    const order = { ...purchaseOf(saleId, 'ada'), units: 1 };
    expect(await reacquireStock({ ...order, as: 'sold' })).toEqual({ status: 'retaken' });
    expect(await findBuyerOrder(order)).toMatchObject({ state: 'sold', quantity: 1, jti: order.jti });
    expect(await readStock(saleId)).toMatchObject({ available: 0, sold: 1, soldOutAt: expect.any(Number) });
    const unlimited = await releasedOrder({ total: -1 });
    expect(await reacquireStock({ ...unlimited, as: 'held' })).toEqual({ status: 'retaken' });
    expect(await tiers(unlimited.saleId)).toEqual([-1, -1, 2, 0]);
  });

  it('[C8 I10] counts the units taken from those for sale, so that a count of the buyers can be judged', async () => {
    const order = await releasedOrder();
    const retaken = () => stockRedis().hget(keys.sale(order.saleId), 'retaken');
    expect(await retaken()).toBeNull();
    for (const as of ['held', 'held', 'sold', 'sold'] as const) await reacquireStock({ ...order, as });
    expect(await retaken()).toBe('2');
    await takeBackStock(order, true);
    await reacquireStock({ ...order, as: 'sold' });
    expect(await retaken()).toBe('4');
  });

  it('[C6] fifty at once for five units: five', async () => {
    const saleId = await openSale({ total: 5 });
    const orders = Array.from({ length: 50 }, (_, n) => ({ ...purchaseOf(saleId, `user_${n}`), units: 1 }));
    const results = await Promise.all(orders.map((order) => reacquireStock({ ...order, as: 'held' })));
    expect(results.filter(({ status }) => status === 'retaken')).toHaveLength(5);
    expect(await tiers(saleId)).toEqual([5, 0, 5, 0]);
  });
});

describe('take back', () => {
  it('[C6] held or sold units are for sale again, once', async () => {
    const order = await releasedOrder();
    for (const as of ['held', 'sold'] as const) {
      await reacquireStock({ ...order, as });
      expect(await takeBackStock(order, true)).toEqual({ status: 'taken_back' });
      expect(await takeBackStock(order, true)).toEqual({ status: 'already_released' });
      expect(await tiers(order.saleId)).toEqual([3, 3, 0, 0]);
    }
  });

  it('[C6] or they are written off: the total shrinks', async () => {
    const order = await releasedOrder();
    await reacquireStock({ ...order, as: 'sold' });
    expect(await takeBackStock(order, false)).toEqual({ status: 'taken_back' });
    expect(await takeBackStock(order, false)).toEqual({ status: 'already_released' });
    expect(await tiers(order.saleId)).toEqual([1, 1, 0, 0]);
    expect(await takeBackStock({ ...order, orderNo: '999' }, true)).toEqual({ status: 'unknown_order' });
    expect(await takeBackStock({ ...order, saleId: 'sale_none' }, true)).toEqual({ status: 'unknown_sale' });
  });

  it('[C6] neither works on numbers that do not add up', async () => {
    const order = await releasedOrder();
    await stockRedis().hset(keys.sale(order.saleId), 'sold', 7);
    await expect(reacquireStock({ ...order, as: 'held' })).rejects.toThrow(StockCorruptError);
    await stockRedis().hset(keys.sale(order.saleId), 'sold', 0);
    await reacquireStock({ ...order, as: 'sold' });
    await stockRedis().hset(keys.sale(order.saleId), 'available', 7);
    await expect(takeBackStock(order, true)).rejects.toThrow(StockCorruptError);
  });
});
