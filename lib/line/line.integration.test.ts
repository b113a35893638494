import { afterAll, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { closeDb, db } from '@/lib/db/client';
import { enterFromLine } from '@/lib/line/records/enter-from-line';
import { findEntry } from '@/lib/line/records/find-entry';
import { forgetLine, readLine } from '@/lib/line/records/find-line';
import { leaveLine } from '@/lib/line/records/leave-line';
import { placesOf } from '@/lib/line/records/places';
import { readNonces } from '@/lib/line/records/shuffle-line';
import type { LineHead } from '@/lib/line/records/types';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buy } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { digestNonces } from '@/lib/shuffle/digest-nonces';
import { eventually } from '@/test/support/eventually';
import { createLineSale, passTime, startsIn } from '@/test/support/line-sale';
import { joinSaleLine } from './join-sale-line';
import { findOwnPlace } from './own-place';
import { tendLines } from './tend-lines';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const member = (userId: string, device = '') => ({
  userId,
  device,
  level: 0,
  createdAt: 0,
  emailVerifiedAt: 1,
});
const join = (saleId: string, userId: string, { device = '', address = null as string | null } = {}) =>
  joinSaleLine(saleId, member(userId, device), { address });
const lineOf = async (saleId: string): Promise<LineHead> => {
  forgetLine(saleId);
  return (await readLine(saleId)) as LineHead;
};
/** Lets workers look after the line until it has been shuffled and then once more. */
async function tendTwice(saleId: string): Promise<LineHead> {
  for (let round = 0; round < 3; round += 1) {
    await db()
      .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
    await tendLines();
  }
  return lineOf(saleId);
}

describe('joining a line', () => {
  it('[M1] gives contiguous numbers, one to each account, whoever joins at once and however often', async () => {
    const { saleId, userIds } = await createLineSale({ users: 60 });
    const twice = [...userIds, ...userIds, ...userIds.slice(0, 20)];
    const results = await Promise.all(twice.map((userId) => join(saleId, userId)));
    const numbers = new Map<string, Set<number>>();
    results.forEach((result, at) => {
      if (!('place' in result)) throw new Error(result.status);
      const known = numbers.get(twice[at] as string) ?? new Set();
      numbers.set(twice[at] as string, known.add(result.place.number));
    });
    expect([...numbers.values()].map(({ size }) => size)).toEqual(userIds.map(() => 1));
    expect([...numbers.values()].flatMap((set) => [...set]).sort((a, b) => a - b)).toEqual(
      userIds.map((_, at) => at),
    );
    expect(results.filter(({ status }) => status === 'joined')).toHaveLength(60);
  });

  it('[M1 G15] gives one place to each device, and so many to each network, also to those who come at once', async () => {
    const { saleId, userIds } = await createLineSale({
      users: 8,
      data: { onePlacePerDevice: true, placesPerNetwork: 2 },
    });
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = userIds;
    const same = await Promise.all([
      join(saleId, a, { device: 'device_1' }),
      join(saleId, b, { device: 'device_1' }),
    ]);
    expect(same.map(({ status }) => status).sort()).toEqual(['joined', 'taken']);
    expect((await join(saleId, c)).status).toBe('device_required');
    const near = await Promise.all(
      [d, e, f].map((userId, at) =>
        join(saleId, userId, { device: `device_n${at}`, address: '203.0.113.7' }),
      ),
    );
    expect(near.filter(({ status }) => status === 'joined')).toHaveLength(2);
    expect(near.find(({ status }) => status === 'taken')).toMatchObject({ by: 'network' });
    expect((await join(saleId, g, { device: 'device_g', address: '203.0.113.8' })).status).toBe('joined');
    const [row] = await db().$queryRaw<{ text: string }[]>`
      SELECT string_agg(device || ' ' || coalesce(network, ''), ',') AS text FROM line_entries WHERE sale_id = ${saleId}`;
    expect(row?.text).not.toMatch(/device_|203\.0/);
  });

  it('[M1] before the window, after the end and without a line: says so', async () => {
    const { saleId, userIds } = await createLineSale({ users: 2 });
    const [userId = ''] = userIds;
    await db().$executeRaw`UPDATE sales SET entry_opens_at = starts_at WHERE id = ${saleId}`;
    const { forgetSaleInfo } = await import('@/lib/sale/records/find-sale-info');
    await forgetSaleInfo(saleId);
    expect((await join(saleId, userId)).status).toBe('not_open');
    await startsIn({ saleId }, 3_600_000);
    await db().$executeRaw`UPDATE lines SET closed = true WHERE sale_id = ${saleId}`;
    expect((await join(saleId, userId)).status).toBe('closed');
    expect((await join('sale_unknown', userId)).status).toBe('sale_not_found');
  });
});

describe('the start', () => {
  it('[M1 M4] shuffles those who came before it, once, by seed and nonces; later ones queue behind', async () => {
    const { saleId, userIds } = await createLineSale({ users: 40, total: 5 });
    const early = userIds.slice(0, 30);
    await Promise.all(early.map((userId) => join(saleId, userId)));
    const before = await lineOf(saleId);
    expect([before.early, before.shuffledWith]).toEqual([null, null]);
    await startsIn({ saleId }, 0);
    // Another person comes after the start, before any worker has looked.
    await join(saleId, userIds[30] as string);
    const [one, two] = await Promise.all([tendLines(), tendLines()]);
    expect(one + two).toBeGreaterThanOrEqual(1);
    const line = await lineOf(saleId);
    expect(line.early).toBe(30);
    const nonces = await readNonces(db(), saleId, 30);
    expect(line.shuffledWith?.noncesDigest).toBe(Buffer.from(await digestNonces(nonces)).toString('hex'));
    const places = await placesOf(line);
    const order = early.map((_, number) => places?.placeOf(number));
    expect([...order].sort((a, b) => Number(a) - Number(b))).toEqual(early.map((_, at) => at));
    expect(order).not.toEqual(early.map((_, at) => at));
    expect(await findOwnPlace(saleId, userIds[30] as string)).toMatchObject({ number: 30, place: 30 });
    await tendTwice(saleId);
    expect((await lineOf(saleId)).shuffledWith).toEqual(line.shuffledWith);
  });

  it('[M1] admits no more than there are units; who does not act gives the place on; who left costs nobody time', async () => {
    const { saleId, userIds, ...rest } = await createLineSale({ users: 20, total: 4 });
    const sale = { saleId, userIds, ...rest };
    for (const userId of userIds) await join(saleId, userId);
    await startsIn({ saleId }, 0);
    let line = await tendTwice(saleId);
    const places = await placesOf(line);
    if (!places) throw new Error('not shuffled');
    expect([line.admitted, line.lapsed]).toEqual([4, 0]);
    const at = (place: number) => userIds[places.numberAt(place)] as string;
    const enter = (place: number) => issueEntry(saleId, member(at(place)));

    const first = await enter(0);
    expect(first).toMatchObject({ status: 'entered' });
    expect(await enter(4)).toMatchObject({ status: 'not_admitted', place: 4, ahead: 0 });
    expect(await enter(9)).toMatchObject({ status: 'not_admitted', place: 9, ahead: 5 });
    await buy(sale, at(0));
    line = await tendTwice(saleId);
    // One unit is gone and its buyer's order may not be written yet: nobody more than there are units.
    expect(line.admitted).toBe(4);
    await drainOutbox(saleId);

    // Two of those who wait leave; then two minutes pass, in which three of the admitted did nothing.
    await leaveLine(saleId, at(4));
    await leaveLine(saleId, at(6));
    await passTime(saleId, 200_000);
    line = await tendTwice(saleId);
    expect(line.lapsed).toBe(4);
    expect(line.admitted).toBe(9);
    expect(await enter(1)).toMatchObject({ status: 'turn_over' });
    expect(await enter(5)).toMatchObject({ status: 'entered' });
    expect(await enter(4)).toMatchObject({ status: 'not_in_line' });

    // A shopper whose turn is over may join again at the back.
    const again = await join(saleId, at(1));
    expect(again).toMatchObject({ status: 'joined', place: { number: 20, place: 20, isOver: false } });
    expect(await join(saleId, at(1))).toMatchObject({ status: 'already_joined', place: { number: 20 } });
  });

  it('[M1] a turn is one: entering again from elsewhere gets no more time, and afterwards it is over', async () => {
    const { saleId, userIds } = await createLineSale({ users: 1, total: 4 });
    const [userId = ''] = userIds;
    await join(saleId, userId);
    await startsIn({ saleId }, 0);
    await tendTwice(saleId);
    const one = await issueEntry(saleId, member(userId));
    const two = await issueEntry(saleId, member(userId, 'another'));
    expect([one.status, two.status]).toEqual(['entered', 'entered']);
    expect('expiresAt' in one && 'expiresAt' in two && one.expiresAt === two.expiresAt).toBe(true);
    await passTime(saleId, 200_000);
    expect(await issueEntry(saleId, member(userId))).toMatchObject({ status: 'turn_over' });
  });

  it('[M1] whoever never joined, or leaves between the look and the entry, gets no token', async () => {
    const { saleId, userIds } = await createLineSale({ users: 2, total: 4 });
    const [a = '', stranger = ''] = userIds;
    await join(saleId, a);
    await startsIn({ saleId }, 0);
    await tendTwice(saleId);
    expect(await issueEntry(saleId, member(stranger))).toMatchObject({ status: 'not_in_line' });
    const entry = await findEntry(saleId, a);
    const leftAt = await leaveLine(saleId, a);
    expect(await leaveLine(saleId, a)).toBe(leftAt);
    expect(await leaveLine(saleId, stranger)).toBeNull();
    expect(await enterFromLine(saleId, entry?.number ?? -1)).toBeNull();
  });

  it('[M1] two workers at once never take two steps for one', async () => {
    const { saleId, userIds } = await createLineSale({ users: 12, total: 3 });
    for (const userId of userIds) await join(saleId, userId);
    await startsIn({ saleId }, 0);
    await tendLines();
    for (let round = 0; round < 5; round += 1) {
      await db()
        .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
      await Promise.all([tendLines(), tendLines(), tendLines()]);
    }
    expect((await lineOf(saleId)).admitted).toBe(3);
  });
});

it('[M1 M4] a line is not shuffled at a start that is being moved', async () => {
  const { saleId, userIds } = await createLineSale({ users: 2 });
  await join(saleId, userIds[0] as string);
  await startsIn({ saleId }, -1_000);
  let tending: Promise<unknown> | undefined;
  await db().$transaction(
    async (tx) => {
      await tx.$executeRaw`UPDATE sales SET starts_at = now() + interval '1 hour' WHERE id = ${saleId}`;
      // The worker has found it due, and waits.
      tending = tendLines();
      await eventually(async () => {
        const [{ waiting } = { waiting: 0 }] = await db().$queryRaw<{ waiting: number }[]>`
        SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(waiting).toBe(1);
      });
    },
    { timeout: 90_000 },
  );
  await tending;
  expect((await lineOf(saleId)).early).toBeNull();
  // Processes learn of the move, too.
  await startsIn({ saleId }, 3_600_000);
  await join(saleId, userIds[1] as string);
  await startsIn({ saleId }, 0);
  expect((await tendTwice(saleId)).early).toBe(2);
});
