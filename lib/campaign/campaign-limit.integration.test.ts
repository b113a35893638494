import { afterAll, describe, expect, it } from 'vitest';
import { POST as enterOverHttp } from '@/app/api/sales/[saleId]/entry/route';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { putAllowance } from '@/lib/stock/put-allowance';
import { reacquireStock } from '@/lib/stock/reacquire-stock';
import { readBuyer } from '@/lib/stock/read-buyer';
import { releaseStock } from '@/lib/stock/release-stock';
import { trimAllowance } from '@/lib/stock/trim-allowance';
import { verifySale } from '@/lib/verify/verify-sale';
import { callWith, sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { makeCampaign } from '@/test/support/make-campaign';
import { makeUser } from '@/test/support/make-sale';
import { buyWith, enter, enterAndBuy } from './testing/shopper';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const ORDER_NO = /^\d+$/;

const liveOf = async (saleIds: readonly string[], userId: string): Promise<number> => {
  const records = await Promise.all(saleIds.map((saleId) => readBuyer(saleId, userId)));
  return records.flat().reduce((sum, { state, quantity }) => sum + (state === 'released' ? 0 : quantity), 0);
};

const ledgerOf = async (campaignId: string, userId: string) =>
  Object.fromEntries(
    (await db().campaignAllowance.findMany({ where: { campaignId, userId } })).map(({ saleId, units }) => [
      saleId,
      units,
    ]),
  );

async function campaignOf(limit: number | null, count = 2, changes: Record<string, unknown> = {}) {
  const made = await makeCampaign(
    limit,
    Array.from({ length: count }, () => changes),
  );
  return { ...made, ids: made.sales.map(({ saleId }) => saleId) };
}

describe('a limit over all sales of a campaign', () => {
  it('[A8] gives whoever enters as much as the sale allows, and takes back what is not bought elsewhere', async () => {
    const { campaign, ids } = await campaignOf(4);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    const early = await enter(first, userId);
    expect(await ledgerOf(campaign.campaignId, userId)).toEqual({ [first]: 3 });
    const late = await enter(second, userId);
    expect(await ledgerOf(campaign.campaignId, userId)).toEqual({ [first]: 0, [second]: 3 });
    if (!('token' in early && 'token' in late)) throw new Error('not entered');
    // The token of the first sale is older than the move: it is refused there, and says why.
    expect(await buyWith(first, early.token)).toMatchObject({
      http: 409,
      code: 'LIMIT_REACHED',
      campaignLimit: 4,
    });
    expect(await buyWith(second, late.token, 2)).toMatchObject({ http: 202 });
    expect(await enterAndBuy(first, userId, 2)).toMatch(ORDER_NO);
    expect(await ledgerOf(campaign.campaignId, userId)).toEqual({ [first]: 2, [second]: 2 });
    expect([await enterAndBuy(first, userId), await enterAndBuy(second, userId)]).toEqual([
      'campaign_limit',
      'campaign_limit',
    ]);
    expect(await liveOf(ids, userId)).toBe(4);
  });

  it('[A8] says at the entry that nothing is left, and gives it back once units are released', async () => {
    const { ids } = await campaignOf(2);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    const orderNo = await enterAndBuy(first, userId, 2);
    expect(orderNo).toMatch(ORDER_NO);
    expect(await enter(second, userId)).toEqual({ refused: 'campaign_limit' });
    await releaseStock({ saleId: first, userId, orderNo });
    expect(await enterAndBuy(second, userId, 2)).toMatch(ORDER_NO);
    // Released units can't come back over the limit, for example for money that arrives late.
    const again = { saleId: first, userId, orderNo, jti: newId('jti'), units: 2, as: 'sold' } as const;
    expect(await reacquireStock(again)).toEqual({ status: 'over_limit' });
    expect(await liveOf(ids, userId)).toBe(2);
  });

  it('[A8 P1] asks a shopper to come again while a sale that has units to spare cannot be asked, and says nothing of a limit', async () => {
    const { ids } = await campaignOf(1);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    expect(await enter(first, userId)).toHaveProperty('token');
    const session = await sessionOf(userId);
    const enterSecond = async () => {
      const reply = await callWith(session, enterOverHttp, { method: 'POST', params: { saleId: second } });
      return { status: reply.status, retryAfter: reply.headers.get('retry-after'), ...(await reply.json()) };
    };
    // Redis has lost the first sale, and nobody can load it.
    await stockRedis().unlink(keys.sale(first));
    await db().$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT FROM sales WHERE id = ${first} FOR UPDATE`;
        expect(await enterSecond()).toMatchObject({
          status: 503,
          code: 'STOCK_UNAVAILABLE',
          retryAfter: expect.stringMatching(/^[1-9]\d*$/),
        });
      },
      { timeout: 60_000 },
    );
    const entered = await eventually(async () => {
      const told = await enterSecond();
      expect(told.status).toBe(200);
      return told;
    });
    expect(await buyWith(second, entered.entryToken)).toMatchObject({ http: 202 });
    expect(await liveOf(ids, userId)).toBe(1);
  });

  it('[A8 P1] lets a shopper buy after a move of the own part that reached Redis too late to count', async () => {
    const { ids } = await campaignOf(1);
    const [first = ''] = ids;
    const { userId } = await makeUser();
    expect(await enter(first, userId)).toHaveProperty('token');
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: first } });
    const [row] = await db().$queryRaw<{ number: bigint }[]>`
      SELECT nextval('campaign_allowance_numbers') AS number`;
    // Another sale wanted it and gave up waiting for the answer; the script ran afterwards.
    const trimmed = await trimAllowance({ stockId: first, epoch }, { userId, number: row?.number ?? 0n });
    expect(trimmed).toEqual({ status: 'trimmed', units: 0 });
    expect(await enterAndBuy(first, userId)).toMatch(ORDER_NO);
  });

  it('[A8] asks nothing more of sales without one', async () => {
    const { campaign, ids } = await campaignOf(null);
    const { userId } = await makeUser();
    expect(await enterAndBuy(ids[0] ?? '', userId, 3)).toMatch(ORDER_NO);
    expect(await enterAndBuy(ids[1] ?? '', userId, 3)).toMatch(ORDER_NO);
    expect(await ledgerOf(campaign.campaignId, userId)).toEqual({});
    expect(await stockRedis().exists(...ids.map(keys.allowances))).toBe(0);
  });

  it('[A8] a message of an older change that comes late gives nothing', async () => {
    const { campaign, ids } = await campaignOf(2);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    await enter(first, userId);
    const old = await db().campaignAllowance.findFirstOrThrow({
      where: { campaignId: campaign.campaignId, userId, saleId: first },
    });
    expect(await enterAndBuy(second, userId, 2)).toMatch(ORDER_NO);
    await putAllowance(first, { userId, units: old.units, number: old.number });
    expect(await stockRedis().hget(keys.allowances(first), userId)).toMatch(/^0 /);
    expect(await enter(first, userId)).toEqual({ refused: 'campaign_limit' });
  });

  it('[A8] a sale that Redis lost keeps what its buyers have, and others take only the rest', async () => {
    const { ids } = await campaignOf(3);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    expect(await enterAndBuy(first, userId, 1)).toMatch(ORDER_NO);
    await drainOutbox(first);
    await stockRedis().del(keys.sale(first), keys.buyers(first), keys.allowances(first));
    // The claim has the lost sale loaded, and then knows what was bought there.
    expect(await enterAndBuy(second, userId, 2)).toMatch(ORDER_NO);
    expect(await enterAndBuy(second, userId, 1)).toBe('campaign_limit');
    expect(await liveOf(ids, userId)).toBe(3);
    await stockRedis().flushall();
    for (const id of ids) await ensureStockLoaded(id);
    expect(await enterAndBuy(first, userId)).toBe('campaign_limit');
    expect(await enterAndBuy(second, userId)).toBe('campaign_limit');
  });

  it('[A8] a person who presses everywhere at once gets no more, in sales whose stock is split too', async () => {
    const { campaign, sales, ids } = await campaignOf(4, 3, { slices: 2, totalStock: 200 });
    expect(sales.every(({ slices }) => slices === 2)).toBe(true);
    const people = await Promise.all(Array.from({ length: 12 }, () => makeUser()));
    const tries = people.flatMap(({ userId }) =>
      Array.from({ length: 9 }, (_, at) => ({ userId, saleId: ids[at % 3] ?? '', quantity: 1 + (at % 2) })),
    );
    await Promise.all(
      tries.map(({ userId, saleId, quantity }) => enterAndBuy(saleId, userId, quantity).catch(() => 'out')),
    );
    for (const { userId } of people) {
      expect(await liveOf(ids, userId)).toBeLessThanOrEqual(4);
      // The rest of the limit can still be bought, one unit after the other.
      for (const saleId of ids) while (ORDER_NO.test(await enterAndBuy(saleId, userId)));
      expect(await liveOf(ids, userId)).toBe(4);
      const ledger = Object.values(await ledgerOf(campaign.campaignId, userId));
      expect(ledger.reduce((sum, units) => sum + units, 0)).toBeLessThanOrEqual(4);
    }
    for (const id of ids) {
      await drainOutbox(id);
      expect((await verifySale(id, { settleMs: 500 }))?.ok).toBe(true);
    }
  });

  it('[A8] the verification names whoever has more, or is allowed more', async () => {
    const { campaign, ids } = await campaignOf(2);
    const [first = '', second = ''] = ids;
    const { userId } = await makeUser();
    expect(await enterAndBuy(first, userId, 2)).toMatch(ORDER_NO);
    await drainOutbox(first);
    const codes = async (saleId: string) =>
      (await verifySale(saleId, { settleMs: 0 }))?.invariants[3]?.statements.map(({ code }) => code);
    expect(await codes(second)).toEqual(['within_limit']);
    await putAllowance(second, { userId, units: 1, number: 1_000_000_000n });
    expect(await codes(second)).toEqual(['allowance_differs']);
    await db().campaign.update({ where: { id: campaign.campaignId }, data: { limitPerUser: 1 } });
    expect(await codes(first)).toEqual(['over_campaign_in_orders', 'over_campaign_allowed']);
  });
});
