import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetExpired, rememberAccepted } from '@/lib/accepted/accepted-memory';
import { closeDb, db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { SHARD_COUNT } from '@/lib/ids/shard-of';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { buy, createSaleFixture, forge, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findOrder } from './find-order';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Redis loses all its data. Another process, which remembers no purchase, loads the sale. */
async function loseAndLoad({ saleId }: SaleFixture): Promise<void> {
  await stockRedis().flushdb();
  expect(await ensureStockLoaded(saleId)).toEqual({ status: 'loaded' });
}

/** Returns the answers to the holder of an entry token and to a signed-in user: the status, "unknown", or "ask again". */
async function told({ saleId }: SaleFixture, userId: string, orderNo: string): Promise<string[]> {
  const readers = [{ userId, saleId }, { userId }];
  return Promise.all(
    readers.map(async (reader) => {
      try {
        return (await findOrder(reader, orderNo))?.status ?? 'unknown';
      } catch (error) {
        if (!isOutage(error)) throw error;
        return 'ask again';
      }
    }),
  );
}

describe('an accepted order that Redis has lost and Postgres does not have yet', () => {
  beforeEach(async () => {
    forgetExpired(Number.POSITIVE_INFINITY);
    // A signed-in user's order may be of any sale, so the sales of earlier tests must long be over.
    await db().$executeRaw`
      UPDATE sales SET starts_at = starts_at - interval '9 hours', ends_at = ends_at - interval '9 hours',
                       entry_opens_at = entry_opens_at - interval '9 hours'`;
  });

  it('[E1 J4] is not denied: not before, not during, and not right after the rebuild', async () => {
    const sale = await createSaleFixture();
    const { saleId } = sale;
    const [userId = ''] = sale.userIds;
    const { orderNo } = await buy(sale, userId);
    const ask = () => told(sale, userId, orderNo);
    expect(await ask()).toEqual(['queued', 'queued']);

    await stockRedis().flushdb();
    expect(await ask()).toEqual(['ask again', 'ask again']);
    await loseAndLoad(sale);
    expect(await ask()).toEqual(['ask again', 'ask again']);
    // A rebuild has claimed the next epoch and not loaded the sale yet.
    await stockRedis().hincrby(keys.sale(saleId), 'loadedAt', -60_000);
    await db().$executeRaw`UPDATE sales SET epoch = epoch + 1 WHERE id = ${saleId}`;
    expect(await ask()).toEqual(['ask again', 'ask again']);
    // Redis was restarted, perhaps with an older copy.
    await db().$executeRaw`UPDATE sales SET epoch = epoch - 1 WHERE id = ${saleId}`;
    await stockRedis().hset(keys.sale(saleId), 'server', 'another');
    expect(await ask()).toEqual(['ask again', 'ask again']);
    await ensureStockLoaded(saleId);
    await stockRedis().hincrby(keys.sale(saleId), 'loadedAt', -31_000);
    expect(await ask()).toEqual(['unknown', 'unknown']);
  });

  it('[E1 J4] is queued to whoever asks the process that accepted it', async () => {
    const sale = await createSaleFixture();
    const [userId = '', other = ''] = sale.userIds;
    const order = await buy(sale, userId);
    const [theirs, foreign] = [forge(sale, other), { ...forge(sale, userId), userId: other }];
    rememberAccepted(sale.saleId, sale.epoch, [theirs, foreign, order]);
    await stockRedis().flushdb();
    expect(await told(sale, userId, order.orderNo)).toEqual(['queued', 'queued']);
    expect(await findOrder({ userId, saleId: sale.saleId }, order.orderNo)).toMatchObject({
      orderNo: order.orderNo,
      quantity: 1,
      amountMinor: 1999,
      saleTitle: 'Lamp sale',
    });
    expect(await told(sale, userId, foreign.orderNo)).toEqual(['ask again', 'ask again']);
  });

  it('[E1 G11] does not keep invented numbers from being unknown', async () => {
    const sale = await createSaleFixture();
    const [userId = ''] = sale.userIds;
    const own = BigInt(forge(sale, userId).orderNo);
    // Nothing was sold before the first loading.
    expect(await told(sale, userId, String(own))).toEqual(['unknown', 'unknown']);
    await stockRedis().flushdb();
    const dayMs = 86_400_000n;
    const otherShard = (own & ~1023n) | ((own + 1n) % BigInt(SHARD_COUNT));
    for (const invented of [
      otherShard,
      own - (dayMs << 22n),
      own + (dayMs << 22n),
      own & 1023n,
      2n ** 63n - 1n,
    ]) {
      if (invented > 0n) expect(await told(sale, userId, String(invented))).toEqual(['unknown', 'unknown']);
    }
    expect(await told(sale, userId, String(own))).toEqual(['ask again', 'ask again']);
    // A sale whose stock lives in Postgres can lose nothing in Redis.
    await db().$executeRaw`UPDATE sales SET strategy = 'database' WHERE id = ${sale.saleId}`;
    expect(await findOrder({ userId, saleId: sale.saleId }, String(own))).toBeNull();
  });
});
