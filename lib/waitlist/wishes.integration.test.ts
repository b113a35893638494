import { afterAll, describe, expect, it } from 'vitest';
import { POST as enterOverHttp } from '@/app/api/sales/[saleId]/entry/route';
import * as waitlist from '@/app/api/sales/[saleId]/waitlist/route';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { newId } from '@/lib/ids/new-id';
import { cancelOrder } from '@/lib/order/cancel-order';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { purchase } from '@/lib/purchase/purchase';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import {
  buy,
  countVariants,
  createSaleFixture,
  makeOverdue,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readBuyer } from '@/lib/stock/read-buyer';
import { isSurelySoldOut } from '@/lib/stock/sold-out-flag';
import { verifySale } from '@/lib/verify/verify-sale';
import { explainAttempts } from '@/lib/why/explain-attempts';
import { callWith, sessionOf } from '@/test/support/call-as';
import { enlist } from './enlist';
import { tendWaitlists } from './tend-waitlists';
import { lose } from './testing/waitlist-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

type Answer = { http: number; code?: string; state?: string; variant?: number; [more: string]: unknown };

/** A shopper in a browser: signed in, with an entry token of the sale. */
async function shopperOf({ saleId, gate }: SaleFixture, userId: string) {
  const session = await sessionOf(userId);
  const answerOf = async (reply: Response): Promise<Answer> => ({
    http: reply.status,
    ...(await reply.json()),
  });
  const ask = async (handler: typeof enterOverHttp, method: string, more: object = {}) =>
    answerOf(await callWith(session, handler, { method, params: { saleId }, ...more }));
  const enter = async () => String((await ask(enterOverHttp, 'POST')).entryToken);
  const token = await enter();
  const withToken = { headers: { 'x-entry-token': token } };
  return {
    userId,
    join: (variant?: unknown) =>
      ask(waitlist.POST, 'POST', { ...withToken, ...(variant === undefined ? {} : { body: { variant } }) }),
    leave: () => ask(waitlist.DELETE, 'DELETE'),
    place: () => ask(waitlist.GET, 'GET'),
    /** Buys with another token than the one that joins, unless told otherwise. */
    async buy(variant: number, entryToken?: string): Promise<Answer> {
      const body = JSON.stringify({ variant });
      const reply = await purchase({ saleId, gate, entryToken: entryToken ?? (await enter()), body });
      return { http: reply.status, ...JSON.parse(String(reply.body)) };
    },
    token,
  };
}

/** A sale of variants with a waitlist, and its shoppers. */
async function open(
  variants: number[],
  users: number,
  options: Parameters<typeof createSaleFixture>[0] = {},
) {
  const sale = await createSaleFixture({ variants, users, waitlist: true, ...options });
  const shoppers = await Promise.all(sale.userIds.map((userId) => shopperOf(sale, userId)));
  return { sale, saleId: sale.saleId, shoppers };
}
type Shopper = Awaited<ReturnType<typeof shopperOf>>;

const refused = (http: number, code: string, more: object = {}) =>
  expect.objectContaining({ http, code, ...more });
const leftOf = async (saleId: string) => (await countVariants(saleId)).left;
const liveOf = async (saleId: string, userId: string) =>
  (await readBuyer(saleId, userId)).filter(({ state }) => state !== 'released');

async function expectSound(saleId: string) {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 300 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}

describe('a waitlist of a sale with variants', () => {
  it('[O3 M2] takes who wants a variant that is gone, while others are left; a unit that comes back goes to the first who wants it', async () => {
    const { sale, saleId, shoppers } = await open([1, 2, 1], 6);
    const [ada, ben, cyd, dan, eve] = shoppers as [Shopper, Shopper, Shopper, Shopper, Shopper];
    expect(await ben.join(1)).toEqual(refused(409, 'UNITS_FOR_SALE', { available: 1 }));
    const small = await buy(sale, ada.userId, 1, 1);
    expect(await ben.join(1)).toMatchObject({
      http: 201,
      state: 'waiting',
      variant: 1,
      ahead: 0,
      waiting: 1,
    });
    expect(await cyd.join(2)).toEqual(refused(409, 'UNITS_FOR_SALE', { available: 2 }));
    const large = await buy(sale, cyd.userId, 1, 3);
    expect(await dan.join(3)).toMatchObject({ http: 201, variant: 3, ahead: 0, waiting: 1 });
    expect(await eve.join(1)).toMatchObject({ http: 201, variant: 1, ahead: 1, waiting: 2 });

    // The large one comes back: whoever waits longer for another one has no use for it.
    await drainOutbox(saleId);
    expect((await cancelOrder(cyd.userId, large.orderNo)).status).toBe('cancelled');
    expect(await dan.place()).toMatchObject({ state: 'given', variant: 3, orderNo: expect.any(String) });
    expect(await liveOf(saleId, dan.userId)).toMatchObject([{ variant: 3, quantity: 1, state: 'held' }]);
    expect(await ben.place()).toMatchObject({ state: 'waiting', ahead: 0 });
    await makeOverdue([small.orderNo]);
    await releaseUnpaid([small.orderNo]);
    expect(await ben.place()).toMatchObject({ state: 'given', variant: 1 });
    expect(await eve.place()).toMatchObject({ state: 'waiting', ahead: 0, waiting: 1 });
    expect(await leftOf(saleId)).toEqual([0, 2, 0]);
    // The token that joined is the purchase's.
    const { orderNo } = await ben.place();
    expect(await ben.buy(1, ben.token)).toMatchObject({ http: 202, orderNo, replay: true });
    await expectSound(saleId);
    expect(await db().order.findMany({ where: { saleId, userId: ben.userId } })).toMatchObject([
      { variant: 1, quantity: 1 },
    ]);
  });

  it('[O3] wants to know which: none, one that there is not, or one where there are none is refused, and nothing is taken', async () => {
    const { saleId, shoppers } = await open([0, 1], 2);
    const [ada] = shoppers as [Shopper];
    for (const variant of [undefined, 0, 3])
      expect(await ada.join(variant)).toEqual(refused(422, 'VARIANT_UNKNOWN'));
    expect(await ada.join('S')).toEqual(refused(422, 'VALIDATION'));
    expect(await db().waitlistEntry.count({ where: { saleId } })).toBe(0);
    const plain = await createSaleFixture({ total: 0, users: 1, waitlist: true });
    const other = await shopperOf(plain, plain.userIds[0] ?? '');
    expect(await other.join(1)).toEqual(refused(422, 'VARIANT_UNKNOWN'));
    expect(await other.join()).toMatchObject({ http: 201, variant: 0, ahead: 0 });
  });

  it('[O3 M2] gives a person one place: another variant is answered with the place that stands, until it is left', async () => {
    const { saleId, shoppers } = await open([0, 0, 4], 3);
    const [ada, ben] = shoppers as [Shopper, Shopper];
    expect(await ada.join(1)).toMatchObject({ http: 201, variant: 1 });
    expect(await ben.join(2)).toMatchObject({ http: 201, variant: 2, ahead: 0 });
    expect(await ada.join(2)).toMatchObject({ http: 200, variant: 1, ahead: 0, waiting: 1 });
    expect(await ada.leave()).toMatchObject({ http: 200, state: 'none', variant: 0 });
    expect(await ada.join(2)).toMatchObject({ http: 201, variant: 2, ahead: 1, waiting: 2 });
    expect(await db().waitlistEntry.count({ where: { saleId, leftAt: null } })).toBe(2);
    await expectSound(saleId);
  });

  it('[O3 M2] lets nobody ahead: what somebody waits for is sold out to all others, and other variants sell on', async () => {
    const { sale, saleId, shoppers } = await open([1, 5], 6, { limit: 2 });
    const [ada, ben, cyd, dan] = shoppers as [Shopper, Shopper, Shopper, Shopper];
    const first = await buy(sale, ada.userId, 1, 1);
    await ben.join(1);
    // A pause: the unit is free, and not given.
    await stockRedis().hset(keys.sale(saleId), 'serveFrom', Date.now() + 3_600_000);
    await drainOutbox(saleId);
    await cancelOrder(ada.userId, first.orderNo);
    expect(await leftOf(saleId)).toEqual([1, 5]);
    expect(await cyd.buy(1)).toEqual(refused(409, 'SOLD_OUT', { available: 0 }));
    expect(await cyd.join(1)).toMatchObject({ http: 201, ahead: 1 });
    expect(await dan.buy(2)).toMatchObject({ http: 202 });
    // This process has not learned that all is sold out.
    const { gate, epoch } = sale;
    const asked = { saleId, gate, epoch, userId: dan.userId, quantity: 1, endsAt: Date.now() + 3_600_000 };
    expect(isSurelySoldOut(asked)).toBe(false);
    await stockRedis().hset(keys.sale(saleId), 'serveFrom', 0);
    await tendWaitlists();
    expect(await ben.place()).toMatchObject({ state: 'given', variant: 1 });
    expect(await cyd.place()).toMatchObject({ state: 'waiting', ahead: 0 });
    await expectSound(saleId);
  });

  it('[O3 M2] a place without a wish, as the release before gave it, gets nothing and holds nobody up, and verify finds it', async () => {
    const { sale, saleId, shoppers } = await open([1, 1], 5);
    const [ada, ben, cyd, dan, eve] = shoppers as [Shopper, Shopper, Shopper, Shopper, Shopper];
    const small = await buy(sale, ada.userId, 1, 1);
    const large = await buy(sale, ben.userId, 1, 2);
    await drainOutbox(saleId);
    await enlist(saleId, [
      { userId: cyd.userId, jti: newId('jti'), orderNo: await issueOrderNo(cyd.userId) },
    ]);
    expect(await dan.join(1)).toMatchObject({ http: 201, variant: 1, ahead: 0, waiting: 1 });
    // A pause: units are free, and not given.
    await stockRedis().hset(keys.sale(saleId), 'serveFrom', Date.now() + 3_600_000);
    await cancelOrder(ada.userId, small.orderNo);
    await cancelOrder(ben.userId, large.orderNo);
    expect(await eve.buy(1)).toEqual(refused(409, 'SOLD_OUT', { available: 0 }));
    expect(await eve.buy(2)).toMatchObject({ http: 202 });
    await stockRedis().hset(keys.sale(saleId), 'serveFrom', 0);
    await tendWaitlists();
    expect(await dan.place()).toMatchObject({ state: 'given', variant: 1 });
    expect(await cyd.place()).toMatchObject({ state: 'waiting', variant: 0 });
    const verification = await verifySale(saleId, { settleMs: 300 });
    expect(verification?.invariants.filter(({ ok }) => !ok)).toMatchObject([
      { detail: `number 1 of ${cyd.userId} waits for variant 0, which the sale does not have` },
    ]);
    await cyd.leave();
    expect(await cyd.join(2)).toMatchObject({ http: 201, variant: 2, ahead: 0 });
    await expectSound(saleId);
  });

  it('[O3 C3] counts for the one limit of a person what is bought meanwhile: passed over, or both', async () => {
    for (const limit of [1, 2]) {
      const { sale, saleId, shoppers } = await open([1, 3], 3, { limit });
      const [ada, ben, cyd] = shoppers as [Shopper, Shopper, Shopper];
      const taken = await buy(sale, ada.userId, 1, 1);
      await ben.join(1);
      await cyd.join(1);
      expect(await ben.buy(2)).toMatchObject({ http: 202 });
      await drainOutbox(saleId);
      await cancelOrder(ada.userId, taken.orderNo);
      const [of, next] = limit === 1 ? [['passed_over'], 'given'] : [['given'], 'waiting'];
      expect([(await ben.place()).state]).toEqual(of);
      expect((await cyd.place()).state).toBe(next);
      await expectSound(saleId);
      const bought = (await liveOf(saleId, ben.userId)).map(({ variant }) => variant).sort();
      expect(bought).toEqual(limit === 1 ? [2] : [1, 2]);
    }
  });

  it('[O3 M2] gives units of a variant that are added to those who wait for it, and the rest is for sale', async () => {
    const { saleId, shoppers } = await open([0, 0, 1], 4);
    const [ada, ben, cyd, dan] = shoppers as [Shopper, Shopper, Shopper, Shopper];
    await ada.join(1);
    await ben.join(2);
    await cyd.join(2);
    const { merchantId: userId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    expect(await restockSale({ userId, role: 'merchant' }, saleId, 4, { variant: 2 })).toMatchObject({
      status: 'restocked',
    });
    expect(await ada.place()).toMatchObject({ state: 'waiting', ahead: 0 });
    for (const shopper of [ben, cyd])
      expect(await shopper.place()).toMatchObject({ state: 'given', variant: 2 });
    expect(await leftOf(saleId)).toEqual([0, 2, 1]);
    expect(await dan.buy(2)).toMatchObject({ http: 202 });
    await expectSound(saleId);
  });

  it('[O3 M2] keeps each place and its variant when Redis is lost, and who got a unit whose order was not written', async () => {
    const { sale, saleId, shoppers } = await open([1, 1, 1], 6);
    const [ada, ben, cyd, dan, eve] = shoppers as [Shopper, Shopper, Shopper, Shopper, Shopper];
    const small = await buy(sale, ada.userId, 1, 1);
    await buy(sale, ben.userId, 1, 2);
    await drainOutbox(saleId);
    await cyd.join(2);
    await dan.join(1);
    await eve.join(2);
    await cancelOrder(ada.userId, small.orderNo);
    const given = await dan.place();
    expect(given).toMatchObject({ state: 'given', variant: 1 });
    await stockRedis().unlink(keys.outbox(saleId));
    await lose(sale);
    expect(await dan.place()).toMatchObject({ state: 'given', variant: 1, orderNo: given.orderNo });
    expect(await liveOf(saleId, dan.userId)).toMatchObject([{ variant: 1, orderNo: given.orderNo }]);
    expect(await cyd.place()).toMatchObject({ state: 'waiting', variant: 2, ahead: 0, waiting: 2 });
    expect(await eve.place()).toMatchObject({ state: 'waiting', variant: 2, ahead: 1 });
    expect(await leftOf(saleId)).toEqual([0, 0, 1]);
    await expectSound(saleId);
  });

  it('[O3 P2] tells, once a unit was given or somebody was passed over, of which variant: in the log and afterwards', async () => {
    const { sale, saleId, shoppers } = await open([1, 1], 4);
    const [ada, ben, cyd, dan] = shoppers as [Shopper, Shopper, Shopper, Shopper];
    const large = await buy(sale, ada.userId, 1, 2);
    const small = await buy(sale, dan.userId, 1, 1);
    await drainOutbox(saleId);
    // The first who waits for the small one stays in front of whoever gets the large one.
    await ben.join(1);
    await cyd.join(2);
    await cancelOrder(ada.userId, large.orderNo);
    await drainOutbox(saleId);
    await tendWaitlists();
    const stories = async ({ userId }: Shopper) => (await explainAttempts(saleId, userId))?.waitlist;
    expect(await stories(cyd)).toMatchObject([{ number: 2, variantName: 'Variant 2', became: 'given' }]);
    expect(await stories(ben)).toMatchObject([{ number: 1, variantName: 'Variant 1', became: 'waiting' }]);
    await db().user.update({ where: { id: ben.userId }, data: { bannedAt: new Date() } });
    await makeOverdue([small.orderNo]);
    await releaseUnpaid([small.orderNo]);
    await tendWaitlists();
    expect(await stories(ben)).toMatchObject([
      { variantName: 'Variant 1', became: 'passed_over', why: 'banned' },
    ]);
    const enlisted = async () => {
      await publishLogs();
      const leaves = await db().decisionLeaf.findMany({ where: { saleId }, orderBy: { index: 'asc' } });
      const decisions = leaves.map(({ leaf }) => JSON.parse(leaf)).filter(({ kind }) => kind === 'enlisted');
      return decisions.map(({ detail }) => detail);
    };
    await expect.poll(enlisted).toEqual([
      { number: 1, variant: 1 },
      { number: 2, variant: 2 },
    ]);
    await expectSound(saleId);
  });
});
