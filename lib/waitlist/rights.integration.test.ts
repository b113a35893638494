import { afterAll, describe, expect, it } from 'vitest';
import { blockSubjects } from '@/lib/block/block-subjects';
import type { Leaf } from '@/lib/contract/shapes/decision-log';
import type { BlockKind } from '@/lib/contract/words/block';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { readLogReceipt } from '@/lib/decision-log/read-log-receipt';
import { runDraws } from '@/lib/draw/run-draws';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buy, makeOverdue, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo, forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { readBuyer } from '@/lib/stock/read-buyer';
import { restock } from '@/lib/stock/restock';
import { keepOrigin } from '@/lib/waitlist/records/origins';
import { readPlace } from '@/lib/waitlist/records/read-place';
import { explainAttempts } from '@/lib/why/explain-attempts';
import type { Prisma } from '@/prisma/generated/client';
import { serveWaitlist } from './giving/serve-waitlist';
import { settleWaitlist } from './tend-waitlists';
import { join, soldOut, tiersOf } from './testing/waitlist-fixture';

afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

type Lose = (sale: SaleFixture, userId: string) => Promise<unknown>;

const blocked = (kind: BlockKind, value: string) =>
  blockSubjects([{ kind, value, reason: 'a bot', by: 'user_admin', expiresAt: null }]);

async function changeSale(saleId: string, data: Prisma.SaleUpdateInput) {
  await db().sale.update({ where: { id: saleId }, data });
  await forgetSaleInfo(saleId);
}

/** Remembers from where a place was taken, as joining over HTTP does. */
async function from(saleId: string, userId: string, device: string, address: string) {
  const info = await findSaleInfo(saleId);
  if (info) await keepOrigin(info, userId, { device, address });
}

const LOSSES: Record<string, Lose> = {
  'is blocked': (_, userId) => blocked('user', userId),
  'has joined from a device that is blocked': async ({ saleId }, userId) => {
    await from(saleId, userId, `device_${userId}`, '192.0.2.1');
    await blocked('device', `device_${userId}`);
  },
  'has joined from a network that is blocked': async ({ saleId }, userId) => {
    await from(saleId, userId, '', '198.51.100.77');
    await blocked('ip', '198.51.100.0/24');
  },
  'is banned': (_, userId) => db().user.update({ where: { id: userId }, data: { bannedAt: new Date() } }),
  'no longer has the level': async ({ saleId, userIds }, userId) => {
    await db().user.updateMany({ where: { id: { in: userIds } }, data: { level: 2 } });
    await changeSale(saleId, { minLevel: 2 });
    await db().user.update({ where: { id: userId }, data: { level: 1 } });
  },
  'has cancelled the reservation': async ({ saleId, userIds }, userId) => {
    const now = new Date();
    await changeSale(saleId, { reservationOpensAt: new Date(0), reservationClosesAt: now });
    const others = userIds.filter((id) => id !== userId);
    await stockRedis().hset(keys.reserved(saleId), Object.fromEntries(others.map((id) => [id, '1'])));
  },
};

const WHY: Record<string, string> = {
  'is blocked': 'blocked',
  'has joined from a device that is blocked': 'blocked',
  'has joined from a network that is blocked': 'blocked',
  'is banned': 'banned',
  'no longer has the level': 'level_too_low',
  'has cancelled the reservation': 'not_reserved',
};

describe('a right that was lost while waiting', () => {
  it.each(Object.keys(LOSSES))(
    '[P2 M2] gets nothing: whoever %s is passed over, the next has the unit, and both are told why',
    async (how) => {
      const sale = await soldOut();
      const { saleId, userIds } = sale;
      const [first = '', second = '', third = ''] = userIds;
      const bought = await buy(sale, first);
      await drainOutbox(saleId);
      await join(sale, second);
      await join(sale, third);
      await LOSSES[how]?.(sale, second);
      await makeOverdue([bought.orderNo]);
      await releaseUnpaid([bought.orderNo]);
      expect(await readPlace(saleId, second)).toMatchObject({ state: 'passed_over' });
      expect(await readBuyer(saleId, second)).toEqual([]);
      expect(await readPlace(saleId, third)).toMatchObject({ state: 'given' });
      expect(await tiersOf(saleId)).toEqual({ available: 0, held: 1, sold: 0, total: 1 });
      // Postgres notes the reason why there is no order, too.
      await drainOutbox(saleId);
      await settleWaitlist(saleId);
      const [passed] = await db().waitlistEntry.findMany({ where: { saleId, userId: second } });
      expect(passed).toMatchObject({ passedAt: expect.any(Date), passedWhy: WHY[how] });
      expect((await explainAttempts(saleId, second))?.waitlist).toMatchObject([
        { number: 1, became: 'passed_over', why: WHY[how], orderNo: null },
      ]);
      expect((await explainAttempts(saleId, third))?.waitlist).toMatchObject([
        { number: 2, became: 'given', why: null, orderNo: expect.any(String) },
      ]);
      await publishLogs();
      const receipt = await readLogReceipt(saleId, second);
      expect(receipt?.entries.map(({ leaf }) => JSON.parse(leaf) as Leaf)).toMatchObject([
        { kind: 'enlisted', detail: { number: 1 } },
        { kind: 'passed_over', detail: { number: 1, why: WHY[how] } },
      ]);
    },
  );

  it('[P2 M2] does not stop those behind, however many have lost theirs', async () => {
    const sale = await soldOut({ users: 12 });
    const { saleId, userIds, epoch } = sale;
    const [first = '', ...waiting] = userIds;
    const last = waiting.at(-1) ?? '';
    const bought = await buy(sale, first);
    await drainOutbox(saleId);
    for (const userId of waiting) await join(sale, userId);
    await Promise.all(waiting.slice(0, -1).map((userId) => blocked('user', userId)));
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    expect(await readPlace(saleId, last)).toMatchObject({ state: 'given', waiting: 0 });
    // The waitlist is empty, so the next unit is for the first who buys.
    await restock({ saleId, epoch, delta: 1, requestId: 'one_more' });
    expect(await serveWaitlist(sale)).toBe(0);
    expect(await tiersOf(saleId)).toMatchObject({ available: 1, held: 1 });
    expect(await buy(sale, first)).toMatchObject({ userId: first });
  });

  it('[P2 M4] gets nothing in a draw, also if it was lost after the drawing', async () => {
    const sale = await createDrawFixture({ users: 3, total: 1 });
    const { saleId } = sale;
    expect(await runDraws()).toBe(1);
    const entries = await db().lineEntry.findMany({ where: { saleId }, orderBy: { place: 'asc' } });
    const [winner = '', second = '', third = ''] = entries.map(({ userId }) => userId);
    await drainOutbox(saleId);
    const [won] = await readBuyer(saleId, winner);
    await blocked('user', second);
    await makeOverdue([won?.orderNo ?? '']);
    await releaseUnpaid([won?.orderNo ?? '']);
    expect(await readBuyer(saleId, second)).toEqual([]);
    expect(await readBuyer(saleId, third)).toMatchObject([{ state: 'held' }]);
  });
});
