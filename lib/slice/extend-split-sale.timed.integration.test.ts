import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { reconcileSale } from '@/lib/reconcile/reconcile-sale';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { changeLimits } from '@/lib/sale/admin/change-limits';
import { editSale } from '@/lib/sale/admin/edit-sale';
import { sliceOf } from '@/lib/slice/numbers/slice-of';
import { configureStock } from '@/lib/stock/configure-stock';
import { readSettings } from '@/lib/stock/read-settings';
import { readStock } from '@/lib/stock/read-stock';
import { verifySale } from '@/lib/verify/verify-sale';
import { startCluster, type TestCluster } from '@/test/support/start-cluster';
import { createSplitSale, insist, renewInfo, type SplitSale, userIn } from './testing/split-sale';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
  process.env.REDIS_URL = cluster.url;
});
afterAll(async () => {
  await releaseOrderNos().catch(() => {});
  await closeRedis();
  await closeDb();
  await cluster.stop();
});

const SLICES = [0, 1, 2, 3];
const HOUR_MS = 3_600_000;
const LIMIT = { algorithm: 'fixed-window', limit: 3, windowSec: 3_600 } as const;
const UNLIKELY = { algorithm: 'fixed-window', limit: 1_000, windowSec: 3_600 } as const;

describe('a running split sale whose end is moved', () => {
  it('[L3 M10] ends later in every slice; its buyers keep what they bought and how often they asked', async () => {
    const sale = await createSplitSale({ total: 40, limit: 1, users: 60 });
    const merchant = await merchantOf(sale);
    await changeLimits(merchant, sale.saleId, { user: LIMIT, interface: UNLIKELY });
    await renewInfo(sale);
    const [buyers, late] = [0, 1].map((nth) =>
      SLICES.map((slice) => sale.userIds.filter((id) => sliceOf(id, 4) === slice)[nth] as string),
    ) as [string[], string[]];
    const jtis = buyers.map(() => newId('jti'));
    const first = await Promise.all(buyers.map((userId, at) => insist(sale, userId, jtis[at])));
    expect(first.map(({ status }) => status)).toEqual(Array(4).fill('accepted'));

    const endsAt = (await endOf(sale)) + HOUR_MS;
    expect(await editSale(merchant, sale.saleId, { version: await versionOf(sale), endsAt })).toMatchObject({
      status: 'changed',
      sale: { endsAt },
    });
    expect(await endsIn(sale)).toEqual(Array(4).fill(endsAt));
    // A slice keeps its counts as long as its sale, which has become longer.
    expect(await expiriesIn(sale)).toEqual(Array(4).fill(endsAt));

    await renewInfo(sale);
    const repeated = await Promise.all(buyers.map((userId, at) => insist(sale, userId, jtis[at])));
    expect(repeated).toEqual(
      first.map((one) => ({
        status: 'replayed',
        orderNo: (one as { orderNo: string }).orderNo,
        quantity: 1,
      })),
    );
    const second = await Promise.all(buyers.map((userId) => insist(sale, userId)));
    expect(second.map(({ status }) => status)).toEqual(Array(4).fill('already_bought'));
    const tries = await Promise.all([1, 2, 3].map(() => triesIn(sale, buyers)));
    expect(tries.at(-1)).toEqual(Array(4).fill('rate_limited'));
    expect(await triesIn(sale, late)).toEqual(Array(4).fill('accepted'));
    expect(await drainOutbox(sale.saleId)).toBe(8);
    expect(await readStock(sale.saleId)).toMatchObject({ total: 40, available: 32, held: 8, endsAt });
    expect(await broken(sale)).toEqual([]);
  });

  it('[L3 M10 K1] stays as it was where one slice can’t be reached, also when that one hears of it later; then it can be moved', async () => {
    const sale = await createSplitSale({ total: 40, users: 0 });
    const merchant = await merchantOf(sale);
    const [before, version] = await Promise.all([endOf(sale), versionOf(sale)]);
    const endsAt = before + HOUR_MS;
    const silent = cluster.holderOf(keys.sale(sale.stocks[2] as string));
    await readStock(sale.saleId);
    // Its replica too, or that would be promoted.
    for (const node of [silent, silent + 3]) cluster.freeze(node);
    let error: unknown;
    try {
      error = await editSale(merchant, sale.saleId, { version, endsAt }).catch((err: unknown) => err);
      expect(isOutage(error)).toBe(true);
    } finally {
      for (const node of [silent, silent + 3]) cluster.thaw(node);
    }
    // Nothing was promised to anybody. A server that was silent may still do what it was sent.
    expect([await endOf(sale), await versionOf(sale)]).toEqual([before, version]);
    await expect
      .poll(async () => {
        await reconcileSale(sale.saleId, { cause: 'schedule', isRepairing: true, graceMs: 50 }).catch(
          () => {},
        );
        return endsIn(sale).catch(() => null);
      })
      .toEqual(Array(4).fill(before));
    expect(await editSale(merchant, sale.saleId, { version, endsAt })).toMatchObject({ status: 'changed' });
    expect(await endsIn(sale)).toEqual(Array(4).fill(endsAt));
    expect(await statusesIn(sale)).toEqual(Array(4).fill('accepted'));
    expect(await broken(sale)).toEqual([]);
  });

  it('[L3 M10] stays as it was in all slices where it is over in one already', async () => {
    const sale = await createSplitSale({ total: 40, users: 0 });
    const merchant = await merchantOf(sale);
    const [before, version] = await Promise.all([endOf(sale), versionOf(sale)]);
    // The clock of a server may be ahead of the others'.
    await configureStock({ saleId: sale.stocks[2] as string, epoch: 4, endsAt: Date.now() - 1_000 });
    const edited = await editSale(merchant, sale.saleId, { version, endsAt: before + HOUR_MS });
    expect(edited).toEqual({ status: 'over' });
    expect(await endOf(sale)).toBe(before);
    expect((await endsIn(sale)).filter((end) => end > before)).toEqual([]);
  });
});

async function merchantOf({ saleId }: SplitSale) {
  const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  return { userId: merchantId, role: 'merchant' as const };
}

const rowOf = ({ saleId }: SplitSale) => db().sale.findUniqueOrThrow({ where: { id: saleId } });
const endOf = async (sale: SplitSale) => (await rowOf(sale)).endsAt.getTime();
const versionOf = async (sale: SplitSale) => (await rowOf(sale)).version;

const endsIn = ({ stocks }: SplitSale): Promise<number[]> =>
  Promise.all(stocks.map(async (stockId) => (await readSettings(stockId))?.endsAt ?? 0));

const expiriesIn = ({ stocks }: SplitSale): Promise<number[]> =>
  Promise.all(stocks.map((stockId) => stockRedis().pexpiretime(keys.limits(stockId))));

const triesIn = (sale: SplitSale, buyers: readonly string[]) =>
  Promise.all(buyers.map(async (userId) => (await insist(sale, userId)).status));

/** Asks for a unit in each slice, for somebody new. */
const statusesIn = (sale: SplitSale): Promise<string[]> =>
  triesIn(
    sale,
    SLICES.map((slice) => userIn(sale, slice)),
  );

const broken = async ({ saleId }: SplitSale) =>
  (await verifySale(saleId, { settleMs: 300 }))?.invariants.filter(({ ok }) => !ok).map(({ id }) => id);
