import { afterAll, describe, expect, it, vi } from 'vitest';
import { POST as joinOverHttp, DELETE as leaveOverHttp } from '@/app/api/sales/[saleId]/line/route';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb, db } from '@/lib/db/client';
import { readAdminDraw } from '@/lib/draw/admin/read-admin-draw';
import { type Enlist, runDraws } from '@/lib/draw/run-draws';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { countOutstanding } from '@/lib/line/records/count-outstanding';
import { forgetLine, readLine } from '@/lib/line/records/find-line';
import { stopWatchingLeftTurns, watchLeftTurns } from '@/lib/line/records/left-turns';
import { placesOf } from '@/lib/line/records/places';
import { releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { purchase } from '@/lib/purchase/purchase';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { readBuyer } from '@/lib/stock/read-buyer';
import { verifySale } from '@/lib/verify/verify-sale';
import { enlist } from '@/lib/waitlist/enlist';
import { callWith, sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { joinSaleLine } from './join-sale-line';
import { showLine } from './show-line';
import { tendLines } from './tend-lines';

afterAll(async () => {
  stopWatchingLeftTurns();
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

/** Leaves as a page does. @returns the status and the body */
async function leave(saleId: string, userId: string) {
  const session = await sessionOf(userId);
  const response = await callWith(session, leaveOverHttp, { method: 'DELETE', params: { saleId } });
  return { status: response.status, body: await response.json() };
}

/** Draws, and returns the users in the order of their places. */
async function draw(saleId: string): Promise<string[]> {
  expect(await runDraws()).toBe(1);
  await drainOutbox(saleId);
  const entries = await db().lineEntry.findMany({ where: { saleId }, orderBy: { place: 'asc' } });
  return entries.map(({ userId }) => userId);
}

describe('leaving a draw', () => {
  it('[P2 M4] ends the chance: the unit that comes back goes to the next who stayed', async () => {
    const { saleId } = await createDrawFixture({ users: 3, total: 1 });
    const [winner = '', second = '', third = ''] = await draw(saleId);
    expect(await leave(saleId, second)).toMatchObject({ status: 200, body: { leftAt: expect.any(Number) } });
    expect((await leave(saleId, second)).status).toBe(200);
    const [won] = await readBuyer(saleId, winner);
    await makeOverdue([won?.orderNo ?? '']);
    await releaseUnpaid([won?.orderNo ?? '']);
    expect(await readBuyer(saleId, second)).toEqual([]);
    expect(await readBuyer(saleId, third)).toMatchObject([{ state: 'held' }]);
  });

  it('[P2 M4] ends the chance also between the drawing and the places for units', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 2, total: 2 });
    const [stays = '', leaves = ''] = userIds;
    const leaving: Enlist = async (id, people) => {
      await leave(saleId, leaves);
      return enlist(id, people);
    };
    expect(await runDraws(leaving)).toBe(1);
    expect(await readBuyer(saleId, leaves)).toEqual([]);
    expect(await readBuyer(saleId, stays)).toMatchObject([{ state: 'held' }]);
  });

  it('[P2 M4] ends the chance also while its place for a unit is being written', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 2, total: 1 });
    const places = await import('@/lib/waitlist/records/write-places');
    const write = places.writePlaces;
    vi.spyOn(places, 'writePlaces').mockImplementationOnce(async (all) => {
      for (const userId of userIds) expect((await leave(saleId, userId)).status).toBe(200);
      return write(all);
    });
    expect(await runDraws()).toBe(1);
    expect(await db().waitlistEntry.count({ where: { saleId, leftAt: null } })).toBe(0);
    expect((await verifySale(saleId, { settleMs: 0 }))?.ok).toBe(true);
  });

  it('[P2 M4] gives back what was won and is not paid, at once', async () => {
    const { saleId } = await createDrawFixture({ users: 2, total: 1 });
    const [winner = '', second = ''] = await draw(saleId);
    const [won] = await readBuyer(saleId, winner);
    expect((await leave(saleId, winner)).status).toBe(200);
    expect((await readStates(saleId)).get(won?.orderNo ?? '')).toMatchObject({ status: 'cancelled' });
    expect(await readBuyer(saleId, winner)).toMatchObject([{ state: 'released' }]);
    expect(await readBuyer(saleId, second)).toMatchObject([{ state: 'held' }]);
  });

  it('[P2 M4] ends being counted: before the draw for everybody, afterwards among those who still wait', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 4, total: 1 });
    const [gone = ''] = userIds;
    expect((await leave(saleId, gone)).status).toBe(200);
    forgetLine(saleId);
    expect(await showLine({ saleId }, { available: 1, held: 0, serverTime: 0 })).toMatchObject({ joined: 3 });
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const seenByStaff = () => readAdminDraw({ userId: merchantId, role: 'merchant' }, saleId);
    const [, second = ''] = (await draw(saleId)).filter((userId) => userId !== gone);
    expect(await seenByStaff()).toMatchObject({ draw: { entrants: 4, left: 1, unpaid: 1, waiting: 2 } });
    expect((await leave(saleId, second)).status).toBe(200);
    expect(await seenByStaff()).toMatchObject({ draw: { entrants: 4, left: 2, unpaid: 1, waiting: 1 } });
  });
});

describe('leaving a waiting room', () => {
  it('[P2 M1] ends the entry token: whoever is let in instead finds the unit; a later turn has a token of its own', async () => {
    await watchLeftTurns();
    const sale = await createLineSale({ users: 2, total: 1 });
    const { saleId, gate, userIds } = sale;
    for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
    await startsIn({ saleId }, 0);
    /** Lets workers go on until one of these people comes in. */
    const comeIn = (people: readonly string[]) =>
      eventually(async () => {
        await tendLines();
        for (const userId of people) {
          const entry = await issueEntry(saleId, member(userId));
          if (entry.status === 'entered') return { userId, token: entry.entryToken };
        }
        throw new Error('nobody is in');
      }, 250);
    const buy = async (token: string) => {
      const { status, body } = await purchase({ saleId, gate, entryToken: token, body: '' });
      return { ...JSON.parse(body), http: status };
    };
    const first = await comeIn(userIds);
    const others = userIds.filter((userId) => userId !== first.userId);
    expect((await leave(saleId, first.userId)).status).toBe(200);
    // The token has ended with the place, although no other shopper is in yet.
    expect(await buy(first.token)).toMatchObject({ http: 401, code: 'ENTRY_INVALID' });
    const next = await comeIn(others);
    expect(await buy(first.token)).toMatchObject({ http: 401, code: 'ENTRY_INVALID' });
    expect(await buy(next.token)).toMatchObject({ http: 202 });

    await drainOutbox(saleId);
    await joinSaleLine(saleId, member(first.userId), { address: null });
    const [bought] = await readBuyer(saleId, next.userId);
    await makeOverdue([bought?.orderNo ?? '']);
    await releaseUnpaid([bought?.orderNo ?? '']);
    const again = await comeIn([first.userId]);
    expect(await buy(first.token)).toMatchObject({ http: 401, code: 'ENTRY_INVALID' });
    expect(await buy(again.token)).toMatchObject({ http: 202 });
  });

  it('[P2 M1] counts whoever let the turn pass and joined again until the old token has run out', async () => {
    const sale = await createLineSale({ users: 2, total: 1 });
    const { saleId, userIds } = sale;
    for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
    await startsIn({ saleId }, 0);
    const first = await eventually(async () => {
      await tendLines();
      for (const userId of userIds)
        if ((await issueEntry(saleId, member(userId))).status === 'entered') return userId;
      throw new Error('nobody is in');
    }, 250);
    // The turn is over; the token is good for ten seconds more.
    await db().$executeRaw`
      UPDATE line_entries SET entered_at = now() - interval '125 seconds' WHERE sale_id = ${saleId} AND user_id = ${first}`;
    await db().$executeRaw`UPDATE lines SET tended_at = clock_timestamp() WHERE sale_id = ${saleId}`;
    expect(await joinSaleLine(saleId, member(first), { address: null })).toMatchObject({ status: 'joined' });
    const line = await readLine(saleId);
    const places = line && (await placesOf(line));
    if (!line || !places) throw new Error('not shuffled');
    expect(await countOutstanding({ ...line, lapsed: line.admitted }, places)).toBe(1);
  });

  it('[M1 G15] and coming again has an end: no account makes the places of others much larger', async () => {
    const { saleId, userIds } = await createLineSale({ users: 3, total: 1 });
    const [restless = '', ...others] = userIds;
    const session = await sessionOf(restless);
    const statuses: number[] = [];
    for (let times = 0; times < 12; times += 1) {
      const reply = await callWith(session, joinOverHttp, { method: 'POST', params: { saleId } });
      statuses.push(reply.status);
      if (reply.status !== 201) expect(await reply.json()).toMatchObject({ code: 'JOINED_TOO_OFTEN' });
      // Joining once more while the place stands gives the same place, and costs nothing.
      if (times < 5) {
        const again = await callWith(session, joinOverHttp, { method: 'POST', params: { saleId } });
        expect(again.status).toBe(200);
      }
      expect((await leave(saleId, restless)).status).toBe(200);
    }
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
    for (const [at, userId] of others.entries())
      expect(await joinSaleLine(saleId, member(userId), { address: null })).toMatchObject({
        status: 'joined',
        place: { number: 5 + at },
      });
  });
});
