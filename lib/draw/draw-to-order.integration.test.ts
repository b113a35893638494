import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { findOwnPlace } from '@/lib/line/own-place';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { readNotices } from '@/lib/order/read-notices';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { countStock, makeOverdue, readStates, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readBuyer } from '@/lib/stock/read-buyer';
import { enlist } from '@/lib/waitlist/enlist';
import { serveWaitlist } from '@/lib/waitlist/giving/serve-waitlist';
import { joinWaitlist } from '@/lib/waitlist/join-waitlist';
import { readPlace } from '@/lib/waitlist/records/read-place';
import { settleWaitlist } from '@/lib/waitlist/tend-waitlists';
import { type Enlist, runDraws } from './run-draws';
import { createDrawFixture, readEntries } from './testing/draw-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

/** The users in the order of their places. */
async function inOrder(saleId: string): Promise<string[]> {
  const entries = await readEntries(saleId);
  return entries.sort((one, other) => (one.place ?? 0) - (other.place ?? 0)).map(({ userId }) => userId);
}

/** Lists the holders of units, as Redis counts. */
async function holders({ saleId, userIds }: SaleFixture): Promise<string[]> {
  const all = await Promise.all(
    userIds.map(async (userId) => {
      const units = (await readBuyer(saleId, userId)).filter(({ state }) => state !== 'released');
      return units.map(() => userId);
    }),
  );
  return all.flat();
}

/** Redis forgets the sale as if it had lost everything of it, and a worker loads it again. */
async function lose(saleId: string) {
  const of = [keys.sale, keys.buyers, keys.outbox, keys.waitlist, keys.places];
  await stockRedis().unlink(...of.map((key) => key(saleId)));
  await ensureStockLoaded(saleId);
  await forgetSaleInfo(saleId);
}

describe('from the draw to the order', () => {
  it('[M4] the first win: an order each and time to pay; what they let lapse goes to the next in line', async () => {
    const sale = await createDrawFixture({ users: 8, total: 3 });
    const { saleId } = sale;
    expect(await runDraws()).toBe(1);
    const order = await inOrder(saleId);
    expect(new Set(await holders(sale))).toEqual(new Set(order.slice(0, 3)));
    await drainOutbox(saleId);
    const states = await readStates(saleId);
    expect([...states.values()].map(({ status }) => status)).toEqual(Array(3).fill('pending_payment'));
    expect(await countStock(saleId)).toMatchObject({ redis: { available: 0, held: 3 } });

    const first = await findOwnPlace(saleId, order[0] as string);
    const fourth = await findOwnPlace(saleId, order[3] as string);
    expect(first).toMatchObject({ place: 0, isOver: false, draw: { weight: 1, isFinal: true } });
    expect(states.has(first?.draw?.orderNo ?? '')).toBe(true);
    expect(fourth).toMatchObject({ place: 3, draw: { orderNo: null } });
    expect(fourth?.pseudonym).not.toBe(first?.pseudonym);

    const lapsed = first?.draw?.orderNo as string;
    await makeOverdue([lapsed]);
    await releaseUnpaid([lapsed]);
    expect(await readPlace(saleId, order[3] as string)).toMatchObject({ state: 'given' });
    expect(await countStock(saleId)).toMatchObject({ redis: { available: 0, held: 3 } });
  });

  it('[M4 O7] with fewer people than units everybody wins, and whoever joins the waitlist later gets one of the rest; each is told which', async () => {
    const sale = await createDrawFixture({ users: 3, total: 5 });
    const { saleId, userIds } = sale;
    const info = await findSaleInfo(saleId);
    if (!info) throw new Error('no sale');
    const late = newId('user');
    await db().user.create({
      data: { id: late, email: `${late}@example.com`, name: 'Late', passwordHash: '!' },
    });
    // Before the draw nobody gets ahead of those who were drawn.
    expect(await joinWaitlist(info, { userId: late, jti: newId('jti') })).toEqual({ status: 'not_started' });
    expect(await runDraws()).toBe(1);
    expect(new Set(await holders(sale))).toEqual(new Set(userIds));
    // The process knows the line as it was a moment ago.
    const jti = newId('jti');
    await expect
      .poll(async () => (await joinWaitlist(info, { userId: late, jti })).status)
      .not.toMatch(/^(not_started|unavailable)$/);
    expect(await readPlace(saleId, late)).toMatchObject({ state: 'given' });
    expect(await countStock(saleId)).toMatchObject({ redis: { available: 1, held: 4 } });

    await drainOutbox(saleId);
    expect(await settleWaitlist(saleId)).toBe(4);
    const messages = await db().outgoingMessage.findMany({
      where: { topic: 'mail', payload: { path: ['saleId'], equals: saleId } },
    });
    const told = await readNotices(
      messages.map(({ id, payload }) => ({
        id: String(id),
        attempts: 0,
        payload: payload as Record<string, string>,
      })),
    );
    expect(new Map(told.map(({ userId, kind }) => [userId, kind]))).toEqual(
      new Map([...userIds.map((userId) => [userId, 'draw_won'] as const), [late, 'waitlist_given']]),
    );
  });

  it('[C8] Redis lost in the middle: nobody loses a place, and nobody gets two', async () => {
    const sale = await createDrawFixture({ users: 1_300, total: 20 });
    const { saleId } = sale;
    let chunks = 0;
    const losing: Enlist = async (id, people) => {
      chunks += 1;
      if (chunks === 2) {
        await lose(saleId);
        throw new Error('the worker died too');
      }
      return enlist(id, people);
    };
    expect(await runDraws(losing)).toBe(0);
    expect(await runDraws()).toBe(1);
    const order = await inOrder(saleId);
    // After a loss units are given on as soon as purchases that were lost with it may be back.
    const { epoch } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const served = async () => {
      await serveWaitlist({ saleId, epoch });
      return (await holders(sale)).length;
    };
    await expect.poll(served).toBe(20);
    await drainOutbox(saleId);
    const winners = await holders(sale);
    expect(new Set(winners)).toEqual(new Set(order.slice(0, 20)));
    expect(new Set(winners).size).toBe(20);
    const waiting = await stockRedis().zrange(keys.waitlist(saleId), '0', '-1');
    expect(new Set([...winners, ...waiting])).toEqual(new Set(order));
    expect(waiting).toHaveLength(1_280);
    await lose(saleId);
    expect(await stockRedis().zrange(keys.waitlist(saleId), '0', '-1')).toEqual(waiting);
    expect(await holders(sale)).toHaveLength(20);
  });
});
