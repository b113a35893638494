import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATCH } from '@/app/api/admin/users/[userId]/route';
import { GET as READ_POINTS } from '@/app/api/points/route';
import { userOfSession } from '@/lib/account/current-user';
import { issueEntry } from '@/lib/checkout/entry/issue-entry';
import type { LevelRule } from '@/lib/contract/shapes/level';
import { closeDb, db } from '@/lib/db/client';
import { readEntrants } from '@/lib/draw/read-entrants';
import { readLevelRules } from '@/lib/points/read-level-rules';
import { writePoints } from '@/lib/points/write-points';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { createLineSale } from '@/test/support/line-sale';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { GET, PUT } from './route';

// So many points that nobody else in this database has a level by these rules.
const MANY = 1_000_000;
const RULES: LevelRule[] = [
  { level: 2, minPoints: MANY },
  { level: 5, minPoints: 3 * MANY },
];

let admin: string;
let adminId: string;
beforeAll(async () => {
  adminId = (await makeUser('admin')).userId;
  admin = await sessionOf(adminId);
});
afterAll(async () => {
  await db().levelRule.deleteMany();
  await Promise.all([closeRedis(), closeDb()]);
});

const put = (body: unknown, session = admin) => callWith(session, PUT, { method: 'PUT', body });
const setRules = async (rules: LevelRule[]) =>
  expect((await put({ rules, before: await readLevelRules() })).status).toBe(200);
let orders = Date.now();
const earn = (userId: string, points: number) => {
  orders += 1;
  return writePoints([
    { userId, orderNo: String(orders), kind: points > 0 ? 'earned' : 'taken_back', points },
  ]);
};
const levelNow = async (session: string) => (await userOfSession(session))?.level;
const pointsOf = async (session: string) => (await callWith(session, READ_POINTS)).json();
const edit = (userId: string, body: unknown) =>
  callWith(admin, PATCH, { method: 'PATCH', params: { userId }, body });

describe('[G16] levels by points', () => {
  it('are earned by what was paid, lost by a refund, and shown with what the next one takes', async () => {
    await setRules(RULES);
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    expect(await pointsOf(session)).toMatchObject({ balance: 0, level: 0, levelUntil: null, levels: RULES });
    await earn(userId, MANY - 1);
    expect(await levelNow(session)).toBe(0);
    await earn(userId, 1);
    expect(await levelNow(session)).toBe(2);
    await earn(userId, 2 * MANY);
    expect(await levelNow(session)).toBe(5);
    expect(await pointsOf(session)).toMatchObject({ balance: 3 * MANY, level: 5, levelUntil: null });
    await earn(userId, -1);
    expect(await levelNow(session)).toBe(2);
    await setRules([]);
    expect(await levelNow(session)).toBe(0);
  });

  it('open a sale that asks for one, at the next request', async () => {
    await setRules(RULES);
    const { sale } = await makeSale({ minLevel: 2 });
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    const enter = async () => {
      const user = await userOfSession(session);
      if (!user) throw new Error('signed out');
      return issueEntry(sale.saleId, user);
    };
    expect(await enter()).toEqual({ status: 'level_too_low', minLevel: 2 });
    await earn(userId, MANY);
    expect(await enter()).toMatchObject({ status: 'entered' });
  });

  it('weigh in a draw', async () => {
    await setRules(RULES);
    const sale = await createLineSale();
    const [earned, given] = [await makeUser(), await makeUser('shopper', 3)];
    await earn(earned.userId, MANY);
    await db().lineEntry.createMany({
      data: [earned, given].map(({ userId }, number) => ({
        saleId: sale.saleId,
        userId,
        number,
        nonce: Buffer.alloc(16, number),
        joinedAt: new Date(),
      })),
    });
    expect((await readEntrants(sale.saleId)).map(({ level }) => level)).toEqual([2, 3]);
  });
});

describe('[G16] a level that staff give', () => {
  const asShopper = { role: 'shopper', level: 0, levelUntil: null };

  it('has an end, as a membership has; what was earned stays', async () => {
    await setRules(RULES);
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    const levelUntil = Date.now() + 3_600_000;
    const answer = await edit(userId, { level: 4, levelUntil, before: asShopper });
    expect(await answer.json()).toMatchObject({ level: 4, levelUntil, earnedLevel: 0 });
    expect(await pointsOf(session)).toMatchObject({ level: 4, levelUntil });
    await earn(userId, MANY);
    await db().user.update({ where: { id: userId }, data: { levelUntil: new Date(Date.now() - 1) } });
    expect(await levelNow(session)).toBe(2);
    expect(await pointsOf(session)).toMatchObject({ level: 2, levelUntil: null });
    const [entry] = await db().auditEntry.findMany({ where: { subjectId: userId } });
    expect(entry).toMatchObject({
      action: 'user.edit',
      before: { level: 0, levelUntil: null },
      after: { level: 4, levelUntil },
    });
  });

  it('keeps its end when a page of the last release changes the level alone, and is not changed on an old word', async () => {
    const { userId } = await makeUser();
    const levelUntil = Date.now() + 3_600_000;
    await edit(userId, { level: 4, levelUntil, before: asShopper });
    const answer = await edit(userId, { level: 6, before: { role: 'shopper', level: 4 } });
    expect(await answer.json()).toMatchObject({ level: 6, levelUntil });
    const late = await edit(userId, {
      level: 7,
      levelUntil: null,
      before: { role: 'shopper', level: 6, levelUntil: null },
    });
    expect(late.status).toBe(409);
    for (const wrong of [-1, 1.5, 'soon', 9e15])
      expect((await edit(userId, { levelUntil: wrong, before: asShopper })).status, String(wrong)).toBe(422);
  });
});

describe('[G16] the rules', () => {
  it('refuse nonsense, whoever may not, and whoever saw others', async () => {
    await setRules(RULES);
    const wrong = [
      [{ level: 0, minPoints: 1 }],
      [{ level: 1, minPoints: 0 }],
      [{ level: 1_001, minPoints: 1 }],
      [{ level: 1, minPoints: 1.5 }],
      [{ level: 1, minPoints: 1e12 }],
      [{ level: 1, minPoints: 1, more: 1 }],
      [...RULES].reverse(),
      [
        { level: 1, minPoints: 5 },
        { level: 2, minPoints: 5 },
      ],
      Array.from({ length: 21 }, (_, n) => ({ level: n + 1, minPoints: n + 1 })),
      'none',
      null,
    ];
    for (const rules of wrong)
      expect((await put({ rules, before: RULES })).status, JSON.stringify(rules)).toBe(422);
    const late = await put({ rules: [], before: [] });
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'VERSION_CONFLICT', rules: RULES }]);
    for (const role of ['shopper', 'merchant', 'operator', 'auditor'] as const)
      expect(
        (await put({ rules: [], before: RULES }, await sessionOf((await makeUser(role)).userId))).status,
      ).toBe(403);
    expect(await readLevelRules()).toEqual(RULES);
  });

  it('are changed by one of two admins at once, and recorded', async () => {
    await setRules([]);
    const since = new Date();
    const answers = await Promise.all(RULES.map((rule) => put({ rules: [rule], before: [] })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const rules = await readLevelRules();
    expect(await (await callWith(admin, GET)).json()).toEqual({ rules });
    // The same again changes nothing.
    expect((await put({ rules, before: rules })).status).toBe(200);
    const entries = await db().auditEntry.findMany({
      where: { action: 'level.set_rules', at: { gte: since } },
    });
    expect(entries).toMatchObject([{ actorId: adminId, before: { rules: [] }, after: { rules } }]);
  });
});
