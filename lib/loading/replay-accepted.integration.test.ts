import { afterAll, describe, expect, it } from 'vitest';
import { hasOlder, rememberAccepted } from '@/lib/accepted/accepted-memory';
import { closeDb, db } from '@/lib/db/client';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import {
  buy,
  buyForAll,
  countStock,
  createSaleFixture,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { verifySale } from '@/lib/verify/verify-sale';
import { ensureStockLoaded } from './ensure-stock-loaded';
import { replayAccepted } from './replay-accepted';

afterAll(async () => {
  await closeRedis();
  await closeDb();
});

/** Redis loses everything. Another process, which remembers no purchase, loads the sale. */
async function loseAndLoad(sale: SaleFixture): Promise<SaleFixture> {
  await stockRedis().flushdb();
  await ensureStockLoaded(sale.saleId);
  const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: sale.saleId } });
  return { ...sale, epoch };
}

const brokenIn = async (saleId: string) =>
  (await verifySale(saleId, { settleMs: 200 }))?.invariants.flatMap(({ ok, detail }) => (ok ? [] : [detail]));

async function bringBack(sale: SaleFixture, orders: readonly AcceptedOrder[]) {
  rememberAccepted(sale.saleId, sale.epoch - 1, orders);
  await Promise.all([replayAccepted(sale.saleId, sale.epoch), replayAccepted(sale.saleId, sale.epoch)]);
  const stock = (await countStock(sale.saleId)).redis;
  await drainOutbox(sale.saleId);
  const states = await readStates(sale.saleId);
  return { stock, ends: orders.map(({ orderNo }) => states.get(orderNo)?.endReason) };
}

describe('purchases that another process lost with Redis', () => {
  it('[E2 J4] take their units again and become orders, once, and a second loss does not lose them', async () => {
    let sale = await createSaleFixture({ total: 5, users: 3 });
    const orders = await buyForAll(sale);
    sale = await loseAndLoad(sale);
    rememberAccepted(sale.saleId, sale.epoch - 1, orders);
    await replayAccepted(sale.saleId, sale.epoch);
    expect(hasOlder(sale.saleId, sale.epoch)).toBe(false);
    expect(hasOlder(sale.saleId, sale.epoch + 1)).toBe(true);
    sale = await loseAndLoad(sale);
    const { stock, ends } = await bringBack(sale, orders);
    expect(stock).toEqual({ available: 2, held: 3, sold: 0 });
    expect(ends).toEqual([null, null, null]);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[E6 J4] whoever has bought again meanwhile keeps the second purchase; the first is on record as failed', async () => {
    let sale = await createSaleFixture({ total: 5, users: 2, limit: 3 });
    const [userId = ''] = sale.userIds;
    const first = await buy(sale, userId, 2);
    sale = await loseAndLoad(sale);
    const second = await buy(sale, userId, 2);
    const { stock, ends } = await bringBack(sale, [first]);
    expect(stock).toEqual({ available: 3, held: 2, sold: 0 });
    expect(ends).toEqual(['not_writable']);
    expect((await readStates(sale.saleId)).get(second.orderNo)?.status).toBe('pending_payment');
    expect(await db().deadLetter.count({ where: { saleId: sale.saleId } })).toBe(1);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });

  it('[C6 J4] where others have the units by now Postgres says so', async () => {
    let sale = await createSaleFixture({ total: 2, users: 3 });
    const first = await buyForAll(sale, 1);
    sale = await loseAndLoad(sale);
    await buyForAll({ ...sale, userIds: sale.userIds.slice(1) });
    await drainOutbox(sale.saleId);
    const { stock, ends } = await bringBack(sale, first);
    expect(stock).toEqual({ available: 0, held: 2, sold: 0 });
    expect(ends).toEqual(['sale_full']);
    expect(await brokenIn(sale.saleId)).toEqual([]);
  });
});
