import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { checkOrder } from '@/lib/shuffle/check-order';
import type { Enlisted } from '@/lib/waitlist/enlist';
import { runDraws } from './run-draws';
import { createDrawFixture, readEntries } from './testing/draw-fixture';

const hex = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');

/** Stand in for `enlist` in memory. */
const lines = new Map<string, string[]>();
const orders = new Map<string, Set<string>>();
const enlist = async (saleId: string, people: readonly Enlisted[]) => {
  const line = lines.get(saleId) ?? [];
  lines.set(saleId, line);
  for (const { userId, orderNo } of people) {
    if (!line.includes(userId)) line.push(userId);
    orders.set(`${saleId} ${userId}`, (orders.get(`${saleId} ${userId}`) ?? new Set()).add(orderNo));
  }
};
const lineOf = (saleId: string) => lines.get(saleId) ?? [];
const readHead = (saleId: string) => db().line.findUniqueOrThrow({ where: { saleId } });

/** Reads what anybody may know, and recomputes the order. */
async function check(saleId: string) {
  const [head, entries] = await Promise.all([readHead(saleId), readEntries(saleId)]);
  return checkOrder({
    seedHash: hex(head.seedHash),
    seed: hex(head.seed),
    noncesDigest: hex(head.noncesDigest),
    beacon: head.beacon,
    count: head.early ?? -1,
    entries: entries.map((entry) => ({
      ...entry,
      nonce: hex(entry.nonce),
      pseudonym: entry.userId,
      place: entry.place ?? -1,
    })),
  });
}

/** Draws until nothing is due. */
async function drawAll(using = enlist): Promise<number> {
  let finished = 0;
  for (let round = 0; round < 10; round += 1) {
    const count = await runDraws(using);
    finished += count;
    if (count === 0) break;
  }
  return finished;
}

beforeEach(async () => {
  // Draws that an earlier test left unfinished are not due in this one.
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});

describe('a draw', () => {
  it('[M4] puts everybody in an order that can be recomputed, and lets them wait for units in it', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 40, total: 5 });
    expect(await drawAll()).toBe(1);
    expect(await check(saleId)).toEqual({ ok: true, entrants: 40 });
    const entries = await readEntries(saleId);
    const inOrder = [...entries].sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
    expect(lineOf(saleId)).toEqual(inOrder.map(({ userId }) => userId));
    expect(lineOf(saleId)).not.toEqual(userIds);
    const head = await readHead(saleId);
    expect(head).toMatchObject({ early: 40, closed: true, beacon: null, beaconUrl: null });
    expect(head.enlistedAt).not.toBeNull();
  });

  it('[M4] works with nobody, with one, and with fewer people than units', async () => {
    for (const users of [0, 1, 4]) {
      const { saleId } = await createDrawFixture({ users, total: 10 });
      expect(await drawAll()).toBe(1);
      expect(await check(saleId)).toEqual({ ok: true, entrants: users });
      expect(lineOf(saleId)).toHaveLength(users);
    }
  });

  it('[M4] is drawn once, by however many workers, however often they try', async () => {
    const { saleId } = await createDrawFixture({ users: 30 });
    const finished = await Promise.all(Array.from({ length: 6 }, () => runDraws(enlist)));
    expect(finished.reduce((sum, count) => sum + count, 0)).toBe(1);
    const first = await readEntries(saleId);
    await db()
      .$executeRaw`UPDATE lines SET enlisted_at = NULL, drawing_until = NULL WHERE sale_id = ${saleId}`;
    expect(await drawAll()).toBe(1);
    expect(await readEntries(saleId)).toEqual(first);
    expect(lineOf(saleId)).toHaveLength(30);
  });

  it('[K5] goes on where a worker died: before the draw, after it, and in the middle of the line', async () => {
    const { saleId } = await createDrawFixture({ users: 1_500 });
    // A worker that claimed it and died: another one goes on once its claim is over.
    await db().$executeRaw`
      UPDATE lines SET closed = true, drawing_until = now() + interval '1 hour' WHERE sale_id = ${saleId}`;
    expect(await runDraws(enlist)).toBe(0);
    await db()
      .$executeRaw`UPDATE lines SET drawing_until = now() - interval '1 second' WHERE sale_id = ${saleId}`;
    let chunks = 0;
    const dying = async (id: string, people: readonly Enlisted[]) => {
      chunks += 1;
      if (chunks === 2) throw new Error('killed');
      await enlist(id, people);
    };
    expect(await runDraws(dying)).toBe(0);
    expect(lineOf(saleId)).toHaveLength(1_000);
    // A person leaves after the draw, before their turn to be enlisted.
    const waiting = (await readEntries(saleId)).find(({ userId }) => !lineOf(saleId).includes(userId));
    const gone = waiting?.userId ?? '';
    await db().$executeRaw`
      UPDATE line_entries SET left_at = now() WHERE sale_id = ${saleId} AND user_id = ${gone}`;
    const drawn = await readEntries(saleId);
    expect(await runDraws(enlist)).toBe(1);
    expect(await readEntries(saleId)).toEqual(drawn);
    expect(lineOf(saleId)).toHaveLength(1_499);
    expect(new Set(lineOf(saleId)).size).toBe(1_499);
    expect(lineOf(saleId)).not.toContain(gone);
    // A repeated call enlists people with the same order numbers: nobody gets two.
    for (const userId of lineOf(saleId)) expect(orders.get(`${saleId} ${userId}`)?.size).toBe(1);
  });

  it('[M4] passes over who left, was banned or blocked, or no longer meets the thresholds, and says why', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 8 });
    const [left, banned, blocked, lowered, lifted, ...others] = userIds as [
      string,
      string,
      string,
      string,
      string,
    ];
    await db().$executeRaw`UPDATE sales SET min_level = 2 WHERE id = ${saleId}`;
    await db().$executeRaw`UPDATE users SET level = 2 WHERE id = ANY (${userIds}::text[])`;
    await db().$executeRaw`UPDATE users SET level = 1 WHERE id = ${lowered}`;
    await db().$executeRaw`UPDATE users SET banned_at = now() WHERE id = ${banned}`;
    await db().$executeRaw`
      INSERT INTO blocks (kind, value, reason, blocked_by) VALUES ('user', ${blocked}, 'bot', 'test')`;
    await db().$executeRaw`
      INSERT INTO blocks (kind, value, reason, blocked_by, lifted_at, lifted_by)
      VALUES ('user', ${lifted}, 'bot', 'test', now(), 'test')`;
    await db().$executeRaw`
      UPDATE line_entries SET left_at = now() WHERE sale_id = ${saleId} AND user_id = ${left}`;
    const { forgetSaleInfo } = await import('@/lib/sale/records/find-sale-info');
    await forgetSaleInfo(saleId);
    expect(await drawAll()).toBe(1);
    const reasons = new Map((await readEntries(saleId)).map((entry) => [entry.userId, entry.passedOver]));
    expect(reasons.get(left)).toBe('left');
    expect(reasons.get(banned)).toBe('banned');
    expect(reasons.get(blocked)).toBe('blocked');
    expect(reasons.get(lowered)).toBe('level_too_low');
    expect(new Set(lineOf(saleId))).toEqual(new Set([lifted, ...others]));
    // Their places stay in the order: without them nobody could recompute it.
    expect(await check(saleId)).toEqual({ ok: true, entrants: 8 });
  });

  it('[M4] gives tickets by member level', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 3, weights: 'level' });
    for (const [at, level] of [0, 4, 30].entries())
      await db().$executeRaw`UPDATE users SET level = ${level} WHERE id = ${userIds[at]}`;
    expect(await drawAll()).toBe(1);
    expect((await readEntries(saleId)).map(({ weight }) => weight)).toEqual([1, 5, 10]);
    expect(await check(saleId)).toEqual({ ok: true, entrants: 3 });
  });

  it('[M4] waits while the sale is paused, and holds up no other when it fails', async () => {
    const paused = await createDrawFixture({ users: 2 });
    await db().$executeRaw`UPDATE sales SET paused = true WHERE id = ${paused.saleId}`;
    const broken = await createDrawFixture({ users: 2 });
    await db().$executeRaw`UPDATE lines SET next_number = 3 WHERE sale_id = ${broken.saleId}`;
    const good = await createDrawFixture({ users: 2 });
    expect(await runDraws(enlist)).toBe(1);
    expect((await readHead(good.saleId)).enlistedAt).not.toBeNull();
    expect((await readHead(broken.saleId)).shuffledAt).toBeNull();
    expect((await readHead(paused.saleId)).closed).toBe(false);
  });
});

it('[M4] a draw does not close at a start that is being moved', async () => {
  const { saleId } = await createDrawFixture({ users: 3 });
  await db().$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE sales SET starts_at = now() + interval '30 minutes' WHERE id = ${saleId}`;
    expect(await runDraws(enlist)).toBe(0);
  });
  expect(await runDraws(enlist)).toBe(0);
  expect(await readHead(saleId)).toMatchObject({ closed: false, early: null });
});
