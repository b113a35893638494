import { afterAll, describe, expect, it } from 'vitest';
import { restoreAllowance } from '@/lib/checkout/campaign/restore-allowance';
import { enter, enterAndBuy } from '@/lib/checkout/campaign/testing/shopper';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';
import { buy, createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { joinWaitlist } from '@/lib/checkout/waitlist/join-waitlist';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo } from '@/lib/sale/find-sale-info';
import { stocksOf } from '@/lib/slice/stock-ids';
import { readAllowances } from '@/lib/stock/read-allowances';
import { trimAllowance } from '@/lib/stock/trim-allowance';
import { expectSound } from '@/test/support/expect-sound';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeUser } from '@/test/support/make-sale';
import { reconcileSale } from './reconcile-sale';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

async function reconcile(saleId: string, isRepairing = true) {
  const result = await reconcileSale(saleId, { cause: 'demand', isRepairing, graceMs: 50 });
  if (result.status !== 'done') throw new Error(result.status);
  return result.report;
}

describe('shares of a campaign’s limit', () => {
  const campaignOf = async () => {
    const { campaign, sales } = await makeCampaign(4, [{}, {}]);
    const [first = '', second = ''] = sales.map(({ saleId }) => saleId);
    return { ...campaign, first, second, ...(await makeUser()) };
  };
  const inRedis = async (saleId: string, userId: string) => (await readAllowances(saleId, [userId]))[0];
  const inPostgres = async (saleId: string, userId: string) =>
    (await db().campaignAllowance.findFirst({ where: { saleId, userId } }))?.units;

  it('[A8 G5] that Redis has lost come back: the shopper may buy again without entering anew', async () => {
    const { first, userId } = await campaignOf();
    await enter(first, userId);
    await stockRedis().unlink(keys.allowances(first));
    const named = await reconcile(first, false);
    expect(named).toMatchObject({ ok: false, counts: { allowance: 1 } });
    expect(named.differences).toMatchObject([{ kind: 'allowance', userId, outcome: 'open' }]);
    expect(await reconcile(first)).toMatchObject({ ok: true, found: 1, repaired: 1 });
    expect(await inRedis(first, userId)).toBe(3);
    expect(await reconcile(first)).toMatchObject({ ok: true, found: 0 });
  });

  it('[A8 C8] that were taken back in Redis by a process that died before its commit come back without a new entry', async () => {
    const { first, userId } = await campaignOf();
    await enter(first, userId);
    const [change] = await db().$queryRaw<{ number: bigint }[]>`
      SELECT nextval('campaign_allowance_numbers') AS number`;
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: first } });
    await trimAllowance({ stockId: first, epoch }, { userId, number: change?.number ?? 0n });
    expect(await inRedis(first, userId)).toBe(0);
    expect(await reconcile(first)).toMatchObject({ ok: true, repaired: 1 });
    expect(await inRedis(first, userId)).toBe(3);
    expect(await enterAndBuy(first, userId, 3)).toMatch(/^\d+$/);
  });

  it('[A8 C2] that are more in Redis shrink to what Postgres says, and what was bought beyond counts in the other sales', async () => {
    const { first, second, userId } = await campaignOf();
    expect(await enterAndBuy(first, userId, 2)).toMatch(/^\d+$/);
    await drainOutbox(first);
    // As a Postgres that came from a backup.
    await db().campaignAllowance.deleteMany({ where: { userId } });
    expect(await reconcile(first)).toMatchObject({ ok: true, repaired: 1 });
    expect([await inRedis(first, userId), await inPostgres(first, userId)]).toEqual([2, 2]);
    expect(await enterAndBuy(second, userId, 3)).not.toMatch(/^\d+$/);
    expect(await enterAndBuy(second, userId, 2)).toMatch(/^\d+$/);
    await drainOutbox(second);
    expect(await reconcile(second)).toMatchObject({ ok: true, found: 0 });
    await expectSound({ saleId: first });
    await expectSound({ saleId: second });
  });

  it('[A8] are left alone where nothing differs, in sales without such a limit, and in those that were loaded anew', async () => {
    const { first, userId, campaignId } = await campaignOf();
    await enter(first, userId);
    expect(await reconcile(first)).toMatchObject({ ok: true, found: 0 });
    const plain = await makeCampaign(null, [{}]);
    expect(await reconcile(plain.sales[0]?.saleId ?? '')).toMatchObject({ ok: true, found: 0 });
    const old = { saleId: first, slices: 1, sliceEpochs: [], epoch: 0 };
    expect(await restoreAllowance(old, campaignId, userId)).toBe(false);
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: first } });
    expect(await restoreAllowance({ ...old, epoch }, plain.campaign.campaignId, userId)).toBe(false);
    expect(await inRedis(first, userId)).toBe(3);
  });

  it('[A8] of a split sale are compared in each of its slices', async () => {
    const { sales } = await makeCampaign(4, [{ slices: 2, totalStock: 40 }]);
    const saleId = sales[0]?.saleId ?? '';
    const people = await Promise.all(Array.from({ length: 6 }, async () => (await makeUser()).userId));
    for (const userId of people) await enter(saleId, userId);
    expect(await reconcile(saleId)).toMatchObject({ ok: true, found: 0 });
    for (const stockId of stocksOf(saleId, 2)) await stockRedis().unlink(keys.allowances(stockId));
    expect(await reconcile(saleId)).toMatchObject({ ok: true, found: 6, repaired: 6 });
    expect(await reconcile(saleId)).toMatchObject({ ok: true, found: 0 });
  });
});

describe('places on a waitlist', () => {
  async function waiting(count: number) {
    const sale = await createSaleFixture({ total: 1, users: count + 1, waitlist: true });
    const [buyer = '', ...others] = sale.userIds;
    await buy(sale, buyer);
    await drainOutbox(sale.saleId);
    for (const userId of others) {
      const info = await findSaleInfo(sale.saleId);
      if (info) await joinWaitlist(info, { userId, jti: newId('jti') });
    }
    return { saleId: sale.saleId, others };
  }
  const inLine = (saleId: string) => stockRedis().zrange(keys.waitlist(saleId), '0', '-1');

  it('[M2 G5] that Redis has lost come back in their order', async () => {
    const { saleId, others } = await waiting(3);
    expect(await reconcile(saleId)).toMatchObject({ ok: true, found: 0 });
    await stockRedis().unlink(keys.waitlist(saleId), keys.places(saleId));
    const named = await reconcile(saleId, false);
    expect(named).toMatchObject({ ok: false, counts: { waiting_place: 3 } });
    expect(await reconcile(saleId)).toMatchObject({ ok: true, found: 3, repaired: 3 });
    expect(await inLine(saleId)).toEqual(others);
    await expectSound({ saleId });
  });

  it('[M2] that only Redis knows were told to nobody, and go', async () => {
    const { saleId, others } = await waiting(2);
    const gone = others[0] ?? '';
    await db().waitlistEntry.deleteMany({ where: { saleId, userId: gone } });
    const report = await reconcile(saleId);
    expect(report).toMatchObject({ ok: true, counts: { waiting_place: 1 }, repaired: 1 });
    expect(report.differences).toMatchObject([{ userId: gone, orderNo: null, outcome: 'repaired' }]);
    expect(await inLine(saleId)).toEqual(others.slice(1));
  });

  it('[M2] say nothing of a sale that is over', async () => {
    const { saleId } = await waiting(1);
    await stockRedis().unlink(keys.waitlist(saleId), keys.places(saleId));
    await db().sale.update({ where: { id: saleId }, data: { status: 'closed', closedAt: new Date() } });
    expect((await reconcile(saleId, false)).counts.waiting_place).toBeUndefined();
  });
});
