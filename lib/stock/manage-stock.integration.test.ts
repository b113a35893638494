import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { closeStock } from './close-stock';
import { configureStock } from './configure-stock';
import { loadStock } from './load-stock';
import { purchaseStock } from './purchase-stock';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { restock } from './restock';
import { StockCorruptError } from './run-stock-script';
import { GATE, HOUR_MS, openSale, purchaseOf } from './testing/open-sale';
import { readAllBuyers } from './testing/read-all-buyers';
import type { BuyerRecord } from './types';

afterAll(closeRedis);

const startsAt = Date.now() - HOUR_MS;
const settings = { startsAt, endsAt: startsAt + 2 * HOUR_MS, paused: false, gate: GATE, limit: 2 };
const tiers = { total: 5, available: 2, held: 2, sold: 1 };
const record = (orderNo: string, state: BuyerRecord['state']): BuyerRecord => ({
  jti: `jti_${orderNo}`,
  orderNo,
  quantity: 1,
  state,
});

describe('load', () => {
  it('[B2] writes the sale whole', async () => {
    const saleId = 'sale_whole';
    expect(await loadStock({ saleId, epoch: 3, ...settings, ...tiers })).toEqual({ status: 'loaded' });
    const { serverTime, ...stock } = (await readStock(saleId)) ?? {};
    expect(stock).toEqual({ ...settings, ...tiers, epoch: 3, closed: false, soldOutAt: null });
    expect(Math.abs((serverTime ?? 0) - Date.now())).toBeLessThan(2_000);
  });

  it('[B2] only under a higher epoch: a repeated or late one changes nothing', async () => {
    const saleId = await openSale({ epoch: 3 });
    await purchaseStock(purchaseOf(saleId, 'ada', { epoch: 3 }));
    const buyers = [{ userId: 'ben', records: [record('7', 'held')] }];
    expect(await loadStock({ saleId, epoch: 3, ...settings, ...tiers, buyers })).toEqual({
      status: 'already_loaded',
    });
    expect(await loadStock({ saleId, epoch: 2, ...settings, ...tiers, buyers })).toEqual({
      status: 'stale_epoch',
    });
    expect(await readStock(saleId)).toMatchObject({ total: 10, available: 9, held: 1, epoch: 3 });
    expect(await readBuyer(saleId, 'ben')).toEqual([]);
    expect(await stockRedis().keys(`${keys.buyers(saleId)}:staged:*`)).toEqual([]);
  });

  it('[B2] a rebuild replaces sale and buyers, and the old epoch is refused from then on', async () => {
    const saleId = await openSale();
    await purchaseStock(purchaseOf(saleId, 'lost'));
    const buyers = Array.from({ length: 1_203 }, (_, i) => ({
      userId: `user_${i}`,
      records: [record(String(5_000 + i), 'held'), record(String(9_000 + i), 'sold')],
    }));
    await loadStock({ saleId, epoch: 2, ...settings, ...tiers, buyers });
    expect(await stockRedis().hlen(keys.buyers(saleId))).toBe(1_203);
    expect(await readAllBuyers(saleId)).toEqual(
      new Map(buyers.map((buyer) => [buyer.userId, buyer.records])),
    );
    expect(await readBuyer(saleId, 'lost')).toEqual([]);
    expect(await purchaseStock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'stale_epoch' });
    expect(await purchaseStock(purchaseOf(saleId, 'user_7', { epoch: 2 }))).toMatchObject({
      status: 'already_bought',
    });
  });

  it('[B2] a rebuild without buyers leaves none; without the list they stay', async () => {
    const saleId = await openSale();
    await purchaseStock(purchaseOf(saleId, 'ada'));
    await loadStock({ saleId, epoch: 2, ...settings, ...tiers });
    expect(await readBuyer(saleId, 'ada')).toHaveLength(1);
    await loadStock({ saleId, epoch: 3, ...settings, ...tiers, buyers: [] });
    expect(await readBuyer(saleId, 'ada')).toEqual([]);
  });

  it('[B7] no key of a sale ever expires, also after a rebuild and every other verb', async () => {
    const saleId = await openSale();
    await purchaseStock(purchaseOf(saleId, 'ada'));
    await loadStock({
      saleId,
      epoch: 2,
      ...settings,
      ...tiers,
      buyers: [{ userId: 'a', records: [record('1', 'held')] }],
    });
    await purchaseStock(purchaseOf(saleId, 'ben', { epoch: 2 }));
    await restock({ saleId, epoch: 2, delta: 1, requestId: 'more' });
    await configureStock({ saleId, epoch: 2, paused: true });
    await closeStock({ saleId, epoch: 2 });
    const names = await stockRedis().keys(`sale:{${saleId}}*`);
    expect(names.sort()).toEqual([keys.sale(saleId), keys.buyers(saleId), keys.outbox(saleId)]);
    for (const name of names) expect(await stockRedis().pttl(name)).toBe(-1);
  });

  it('refuses a snapshot that cannot be true', async () => {
    const good = { saleId: 'sale_bad', epoch: 1, ...settings, ...tiers };
    await expect(loadStock({ ...good, held: 3 })).rejects.toThrow('must be total');
    await expect(loadStock({ ...good, available: -1, total: 2 })).rejects.toThrow('available');
    await expect(loadStock({ ...good, epoch: 0 })).rejects.toThrow('epoch');
    await expect(loadStock({ ...good, limit: 0 })).rejects.toThrow('limit');
    await expect(loadStock({ ...good, gate: '' })).rejects.toThrow('gate');
    await expect(loadStock({ ...good, endsAt: startsAt })).rejects.toThrow('endsAt');
    const buyers = [{ userId: 'a', records: [{ ...record('1', 'held'), jti: 'a,b' }] }];
    await expect(loadStock({ ...good, buyers })).rejects.toThrow('not a buyer record');
    expect(await readStock('sale_bad')).toBeNull();
  });
});

describe('restock', () => {
  it('[C5] adds and takes away, and answers every tier', async () => {
    const saleId = await openSale({ total: 3 });
    await purchaseStock(purchaseOf(saleId, 'ada'));
    const ask = (delta: number, requestId: string) => restock({ saleId, epoch: 1, delta, requestId });
    expect(await ask(4, 'a')).toEqual({ status: 'restocked', total: 7, available: 6, held: 1, sold: 0 });
    expect(await ask(-6, 'b')).toEqual({ status: 'restocked', total: 1, available: 0, held: 1, sold: 0 });
    expect((await readStock(saleId))?.soldOutAt).toBeGreaterThan(0);
    expect(await ask(-1, 'c')).toEqual({ status: 'below_committed', available: 0 });
    expect(await ask(1, 'd')).toMatchObject({ status: 'restocked', total: 2, available: 1 });
    expect((await readStock(saleId))?.soldOutAt).toBeNull();
  });

  it('[C5] repeats change nothing: the last 8 requests are remembered', async () => {
    const saleId = await openSale({ total: 1 });
    const ask = (requestId: string) => restock({ saleId, epoch: 1, delta: 1, requestId });
    for (let i = 0; i < 9; i += 1) expect(await ask(`r${i}`)).toMatchObject({ status: 'restocked' });
    expect(await ask('r1')).toEqual({
      status: 'already_restocked',
      total: 10,
      available: 10,
      held: 0,
      sold: 0,
    });
    expect(await ask('r0')).toMatchObject({ status: 'restocked', total: 11 });
  });

  it('[C5] refuses unlimited, stale and unknown sales, and senseless amounts', async () => {
    const unlimited = await openSale({ total: -1 });
    const saleId = await openSale();
    const request = { saleId, epoch: 1, delta: 1, requestId: 'a' };
    expect(await restock({ ...request, saleId: unlimited })).toEqual({ status: 'unlimited' });
    expect(await restock({ ...request, epoch: 2 })).toEqual({ status: 'stale_epoch' });
    expect(await restock({ ...request, saleId: 'sale_nowhere' })).toEqual({ status: 'unknown_sale' });
    for (const delta of [0, 1.5, 2e9])
      await expect(restock({ ...request, delta })).rejects.toThrow(RangeError);
    await stockRedis().hset(keys.sale(saleId), 'sold', 1);
    await expect(restock(request)).rejects.toThrow(StockCorruptError);
  });
});

describe('configure and close', () => {
  it('[C1] changes only what is named, and the next purchase sees it', async () => {
    const saleId = await openSale({ paused: true });
    const before = await readStock(saleId);
    expect(await configureStock({ saleId, epoch: 1, paused: false, limit: 4 })).toEqual({
      status: 'configured',
    });
    const after = await readStock(saleId);
    expect({ ...after, serverTime: 0 }).toEqual({ ...before, serverTime: 0, paused: false, limit: 4 });
    expect(await purchaseStock(purchaseOf(saleId, 'ada', { quantity: 4 }))).toMatchObject({
      status: 'accepted',
    });
  });

  it('[C1] refuses stale and unknown sales and senseless settings', async () => {
    const saleId = await openSale();
    expect(await configureStock({ saleId, epoch: 9, limit: 2 })).toEqual({ status: 'stale_epoch' });
    expect(await configureStock({ saleId: 'nowhere', epoch: 1, limit: 2 })).toEqual({
      status: 'unknown_sale',
    });
    await expect(configureStock({ saleId, epoch: 1, limit: 0 })).rejects.toThrow(RangeError);
    await expect(configureStock({ saleId, epoch: 1, startsAt: -1 })).rejects.toThrow(RangeError);
    await expect(configureStock({ saleId, epoch: 1 })).rejects.toThrow(RangeError);
  });

  it('[C1] close ends a sale now and for good, without moving an earlier end', async () => {
    const saleId = await openSale();
    expect(await closeStock({ saleId, epoch: 2 })).toEqual({ status: 'stale_epoch' });
    const closed = await closeStock({ saleId, epoch: 1 });
    const endsAt = (await readStock(saleId))?.endsAt ?? 0;
    expect(closed).toEqual({ status: 'closed', endsAt });
    expect(Math.abs(endsAt - Date.now())).toBeLessThan(2_000);
    expect(await closeStock({ saleId, epoch: 1 })).toEqual({ status: 'already_closed', endsAt });
    await configureStock({ saleId, epoch: 1, endsAt: Date.now() + HOUR_MS });
    expect(await purchaseStock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'ended' });

    const past = await openSale({ startsAt: 1_000, endsAt: 2_000 });
    expect(await closeStock({ saleId: past, epoch: 1 })).toEqual({ status: 'closed', endsAt: 2_000 });
    expect(await closeStock({ saleId: 'nowhere', epoch: 1 })).toEqual({ status: 'unknown_sale' });
  });
});

describe('read', () => {
  it('[C5] answers null for what is not warm, and refuses half a hash', async () => {
    expect(await readStock('sale_nowhere')).toBeNull();
    expect(await readStock('../etc')).toBeNull();
    const saleId = await openSale();
    await stockRedis().hdel(keys.sale(saleId), 'held');
    await expect(readStock(saleId)).rejects.toThrow('incomplete');
  });
});
