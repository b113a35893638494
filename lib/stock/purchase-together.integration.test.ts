import { afterAll, describe, expect, it } from 'vitest';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { configureStock } from './configure-stock';
import { purchaseStock } from './purchase-stock';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { StockCorruptError } from './run-stock-script';
import { openSale, purchaseOf } from './testing/open-sale';

afterAll(closeRedis);

/** Returns how often Redis has run the script, all its servers together. */
async function scriptCalls(): Promise<number> {
  const redis = stockRedis();
  const servers = isCluster(redis) ? redis.nodes('master') : [redis];
  const infos = await Promise.all(servers.map((server) => server.info('commandstats')));
  return infos.reduce((sum, info) => sum + Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0), 0);
}

const ofUser = { user: { algorithm: 'fixed-window', limit: 1, windowSec: 60 } } as const;

describe('purchases that come at the same moment', () => {
  it('[C1] share calls of at most 16, and each gets its own answer', async () => {
    const saleId = await openSale({ total: 100 });
    await purchaseStock(purchaseOf(saleId, 'first'));
    const before = await scriptCalls();
    const purchases = Array.from({ length: 150 }, (_, n) => purchaseOf(saleId, `user_${n}`));
    const replies = await Promise.all(purchases.map(purchaseStock));
    expect((await scriptCalls()) - before).toBe(Math.ceil(150 / 16));
    const accepted = replies.slice(0, 99);
    expect(accepted).toEqual(
      purchases.slice(0, 99).map(({ orderNo }) => expect.objectContaining({ status: 'accepted', orderNo })),
    );
    expect(replies.slice(99)).toEqual(Array(51).fill({ status: 'sold_out', available: 0 }));
    expect(await readStock(saleId)).toMatchObject({ available: 0, held: 100, soldOutAt: expect.any(Number) });
    const entries = await stockRedis().xrange(keys.outbox(saleId), '-', '+');
    expect(entries.slice(1).map(([, fields]) => fields[1])).toEqual(
      purchases.slice(0, 99).map(({ orderNo }) => orderNo),
    );
  });

  it('[C1 F2] count for one another, as if each had come alone', async () => {
    const saleId = await openSale({ total: 4, limit: 2 });
    const double = purchaseOf(saleId, 'ada');
    const [first, again, second, third, other, tooMany, wrong, last] = await Promise.all(
      [
        double,
        double,
        purchaseOf(saleId, 'ada'),
        purchaseOf(saleId, 'ada'),
        purchaseOf(saleId, 'bob'),
        purchaseOf(saleId, 'cem', { quantity: 2 }),
        purchaseOf(saleId, 'cem', { gate: 'another' }),
        purchaseOf(saleId, 'cem'),
      ].map(purchaseStock),
    );
    expect(first).toMatchObject({ status: 'accepted', orderNo: double.orderNo });
    expect(again).toEqual({ status: 'replayed', orderNo: double.orderNo, quantity: 1 });
    expect(second).toMatchObject({ status: 'accepted' });
    expect(third).toEqual({ status: 'already_bought', orderNo: expect.any(String) });
    expect(other).toMatchObject({ status: 'accepted' });
    expect(tooMany).toEqual({ status: 'sold_out', available: 1 });
    expect(wrong).toEqual({ status: 'gate_invalid' });
    expect(last).toMatchObject({ status: 'accepted' });
    expect(await readStock(saleId)).toMatchObject({ available: 0, held: 4 });
    expect(await readBuyer(saleId, 'ada')).toHaveLength(2);
    expect(await stockRedis().xlen(keys.outbox(saleId))).toBe(4);
  });

  it('[C1] of several sales are kept apart', async () => {
    const sales = await Promise.all([openSale({ total: 1 }), openSale({ total: 1 })]);
    const replies = await Promise.all(
      [0, 1, 0, 1].map((at, n) => purchaseStock(purchaseOf(sales[at] ?? '', `user_${n}`))),
    );
    expect(replies.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'sold_out', 'sold_out']);
  });

  it('[C1 G1] count against limits set while the sale runs, from the first one on', async () => {
    const saleId = await openSale({ total: 100, limit: 9 });
    const buy = (userId: string) => purchaseStock(purchaseOf(saleId, userId));
    expect([await buy('ada'), await buy('ada')]).toMatchObject(Array(2).fill({ status: 'accepted' }));
    await configureStock({ saleId, epoch: 1, limits: ofUser });
    const before = await scriptCalls();
    const replies = await Promise.all([buy('ada'), buy('bob'), buy('ada')]);
    expect(replies.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'rate_limited']);
    // The first call learns that the sale has limits, and is made again; the next ones know it.
    expect((await scriptCalls()) - before).toBe(2);
    expect(await buy('bob')).toMatchObject({ status: 'rate_limited', scope: 'user' });
    expect((await scriptCalls()) - before).toBe(3);
    expect(await readStock(saleId)).toMatchObject({ held: 4 });
  });

  it.each(['a gate', ' ', '', 'a\nb', '%', 'é'])(
    '[C1 C2] are refused alone with a strange gate: %j',
    async (gate) => {
      const saleId = await openSale({ total: 10 });
      const replies = await Promise.all([
        purchaseStock({ ...purchaseOf(saleId, 'ada'), gate }),
        purchaseStock(purchaseOf(saleId, 'bob')),
      ]);
      expect(replies).toMatchObject([{ status: 'gate_invalid' }, { status: 'accepted' }]);
    },
  );

  it('[C1 H2] ask for reservations required while the sale runs', async () => {
    const saleId = await openSale({ total: 100 });
    expect(await purchaseStock(purchaseOf(saleId, 'ada'))).toMatchObject({ status: 'accepted' });
    await configureStock({ saleId, epoch: 1, requiresReservation: true });
    await stockRedis().hset(keys.reserved(saleId), 'bob', 1);
    const replies = await Promise.all(
      ['bob', 'cem'].map((userId) => purchaseStock(purchaseOf(saleId, userId))),
    );
    expect(replies).toMatchObject([{ status: 'accepted' }, { status: 'not_reserved' }]);
  });

  it('[C1 E2] all fail with an alarm, and nothing is half written, when the numbers do not add up', async () => {
    const saleId = await openSale({ total: 10 });
    await stockRedis().hincrby(keys.sale(saleId), 'held', 1);
    const replies = await Promise.allSettled(
      ['ada', 'bob'].map((userId) => purchaseStock(purchaseOf(saleId, userId))),
    );
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 'rejected', reason: expect.any(StockCorruptError) });
    }
    expect(await stockRedis().exists(keys.buyers(saleId), keys.outbox(saleId))).toBe(0);
  });
});
