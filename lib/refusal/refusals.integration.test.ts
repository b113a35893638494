import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { processWide } from '@/lib/process-wide';
import { PrismaClient } from '@/prisma/generated/client';
import { eventually } from '@/test/support/eventually';
import { flushRefusals, noteRefusal } from './note-refusal';
import { pruneRefusals } from './prune-refusals';
import { countLost, readRefusals } from './read-refusals';
import type { RefusalKind } from './types';
import { writeRefusals } from './write-refusals';

const kindOf = (saleId: string, userId: string, rest: Partial<RefusalKind> = {}): RefusalKind => ({
  saleId,
  userId,
  place: 'purchase',
  code: 'SOLD_OUT',
  risk: 'none',
  ...rest,
});

const kept = processWide('db', (): { client?: PrismaClient } => ({}));

afterAll(closeDb);

describe('refusals', () => {
  it('[J5] the same again is one row with a count, its first moment and what was left then', async () => {
    const [saleId, userId] = [newId('sale'), newId('user')];
    const from = Date.now();
    noteRefusal(kindOf(saleId, userId), 3);
    noteRefusal(kindOf(saleId, userId), 0);
    noteRefusal(kindOf(saleId, userId, { code: 'RATE_LIMITED', risk: 'limited' }), null);
    noteRefusal(kindOf(saleId, newId('user')), 0);
    expect(await flushRefusals()).toBe(true);
    noteRefusal(kindOf(saleId, userId), 0);
    expect(await flushRefusals()).toBe(true);
    const refusals = await readRefusals(saleId, userId);
    expect(refusals).toHaveLength(2);
    const first = refusals.find(({ code }) => code === 'SOLD_OUT');
    expect(first).toMatchObject({ times: 3, available: 3, place: 'purchase', risk: 'none' });
    expect(refusals).toContainEqual(
      expect.objectContaining({ code: 'RATE_LIMITED', times: 1, available: null, risk: 'limited' }),
    );
    for (const at of [first?.firstAt, first?.lastAt]) {
      expect(at).toBeGreaterThanOrEqual(from);
      expect(at).toBeLessThanOrEqual(Date.now());
    }
    expect(first?.lastAt).toBeGreaterThanOrEqual(first?.firstAt ?? Number.POSITIVE_INFINITY);
  });

  it('[J5] are written by themselves', async () => {
    const [saleId, userId] = [newId('sale'), newId('user')];
    noteRefusal(kindOf(saleId, userId), 0);
    await eventually(async () => expect(await readRefusals(saleId, userId)).toHaveLength(1));
  });

  it('[J5] what is too much to remember is counted as lost, and said so', async () => {
    const saleId = newId('sale');
    for (let n = 0; n < 50_007; n += 1) noteRefusal(kindOf(saleId, `user_${n}`), 0);
    // A user who is remembered already takes no further place.
    noteRefusal(kindOf(saleId, 'user_0'), 0);
    expect(await flushRefusals()).toBe(true);
    expect(await countLost(saleId)).toBe(7);
    expect(await db().refusal.count({ where: { saleId } })).toBe(50_000);
    expect(await readRefusals(saleId, 'user_0')).toMatchObject([{ times: 2 }]);
    noteRefusal(kindOf(saleId, 'user_50006'), 0);
    expect(await flushRefusals()).toBe(true);
    expect(await readRefusals(saleId, 'user_50006')).toHaveLength(1);
  });

  it('[J4] wait while Postgres is away, and are written afterwards', async () => {
    const [saleId, userId] = [newId('sale'), newId('user')];
    const here = db();
    // No server listens on port 1.
    const adapter = new PrismaPg({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    kept.client = new PrismaClient({ adapter });
    noteRefusal(kindOf(saleId, userId), 0);
    expect(await flushRefusals()).toBe(false);
    noteRefusal(kindOf(saleId, userId), 0);
    kept.client = here;
    expect(await flushRefusals()).toBe(true);
    expect(await readRefusals(saleId, userId)).toMatchObject([{ times: 2 }]);
  });

  it('[J5] two processes that write the same people in other orders do not stop each other', async () => {
    const saleId = newId('sale');
    const userIds = Array.from({ length: 500 }, () => newId('user'));
    const at = Date.now();
    const batch = userIds.map((userId) => ({
      ...kindOf(saleId, userId),
      firstAt: at,
      lastAt: at,
      times: 1,
      available: 0,
    }));
    const turns = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? batch : [...batch].reverse()));
    await Promise.all(turns.map((refusals) => writeRefusals(refusals)));
    expect(await db().refusal.aggregate({ where: { saleId }, _sum: { times: true } })).toMatchObject({
      _sum: { times: 5_000 },
    });
  });

  it('[J5] are deleted after 30 days, and not before', async () => {
    const [saleId, day] = [newId('sale'), 86_400_000];
    const aged = (userId: string, days: number) => {
      const at = Date.now() - days * day;
      return { ...kindOf(saleId, userId), firstAt: at, lastAt: at, times: 1, available: null };
    };
    await writeRefusals([aged('old', 31), aged('young', 29)]);
    await pruneRefusals();
    const left = await db().refusal.findMany({ where: { saleId }, select: { userId: true } });
    expect(left).toEqual([{ userId: 'young' }]);
  });
});
