import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { rebuildStock } from '@/lib/loading/rebuild-stock';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { readBuyer } from '@/lib/stock/read-buyer';
import { verifySale } from '@/lib/verify/verify-sale';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeUser } from '@/test/support/make-sale';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { enterAndBuy } from './testing/shopper';

const LIMIT = 3;
const PEOPLE = 20;
const TRIES = 5;

let cluster: TestCluster;

beforeAll(async () => {
  // So patient that no standstill of the machine makes a replica take over: what it lacks would be lost.
  cluster = await startCluster();
  process.env.REDIS_URL = cluster.url;
});
afterAll(async () => {
  await releaseOrderNos().catch(() => {});
  await closeRedis();
  await closeDb();
  await cluster.stop();
});

/** Makes so many sales that they lie on all three servers (but once in ten million times), and takes one of each. */
async function campaignOverServers() {
  const { sales } = await makeCampaign(
    LIMIT,
    Array.from({ length: 45 }, () => ({ totalStock: 500, limitPerUser: 2 })),
  );
  const byServer = new Map(sales.map((sale) => [cluster.holderOf(keys.sale(sale.saleId)), sale.saleId]));
  return [...byServer.values()];
}

it('[A8] over three sales on three servers of a cluster nobody gets more than the campaign allows, and each gets that, while one sale is lost again and again', async () => {
  const ids = await campaignOverServers();
  expect(ids).toHaveLength(3);
  const people = await Promise.all(Array.from({ length: PEOPLE }, async () => (await makeUser()).userId));
  const liveOf = async (userId: string) => {
    const records = await Promise.all(ids.map((saleId) => readBuyer(saleId, userId)));
    return records
      .flat()
      .reduce((sum, { state, quantity }) => sum + (state === 'released' ? 0 : quantity), 0);
  };
  let isOver = false;
  const lost = ids[1] ?? '';
  const losing = (async () => {
    let times = 0;
    for (; !isOver; times += 1) {
      // Purchases that are on their way, and claims that move allowances, meet a sale that is gone.
      await stockRedis()
        .del(keys.sale(lost), keys.buyers(lost), keys.allowances(lost))
        .catch(() => 0);
      await delay(150);
    }
    return times;
  })();
  await Promise.all(
    people.flatMap((userId) =>
      ids.map(async (saleId) => {
        for (let n = 0; n < TRIES; n += 1) await enterAndBuy(saleId, userId).catch(() => 'out');
      }),
    ),
  );
  isOver = true;
  expect(await losing).toBeGreaterThan(2);
  for (const userId of people) {
    for (const saleId of [...ids, ...ids])
      for (let told = '1'; /^\d+$/.test(told); ) {
        // On a busy machine the page is told to come again for a moment.
        await expect
          .poll(async () => {
            told = await enterAndBuy(saleId, userId);
            return told;
          })
          .not.toBe('STOCK_UNAVAILABLE');
      }
    expect(await liveOf(userId)).toBe(LIMIT);
  }
  for (const saleId of ids) {
    await drainOutbox(saleId);
    // Redis may still lack the sale: shoppers with enough units are refused without asking it.
    await rebuildStock(saleId);
    const verified = await verifySale(saleId, { settleMs: 1_000 });
    expect(verified?.invariants.filter(({ ok }) => !ok)).toEqual([]);
  }
});
