import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GET as READ_OWN } from '@/app/api/account/level/route';
import { GET as LIST_USERS } from '@/app/api/admin/users/route';
import { userOfSession } from '@/lib/account/current-user';
import { readMembers } from '@/lib/account/read-members';
import { issueEntry } from '@/lib/admission/issue-entry';
import type { LevelRules, OwnLevel } from '@/lib/contract/shapes/level';
import { closeDb, db } from '@/lib/db/client';
import { readAdminDraw } from '@/lib/draw/admin/read-admin-draw';
import { readEntrants } from '@/lib/draw/records/read-entrants';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { createConsumers } from '@/lib/order/consumers';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { readLevelRules } from '@/lib/points/read-level-rules';
import { writePoints } from '@/lib/points/write-points';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { GET, PATCH } from './route';

const NONE: LevelRules = { byPoints: [], byMembership: [] };
const BY_POINTS = [
  { level: 2, minPoints: 100 },
  { level: 5, minPoints: 300 },
];
const DAY_SEC = 86_400;

let admin: string;
let adminId: string;
beforeAll(async () => {
  adminId = (await makeUser('admin')).userId;
  admin = await sessionOf(adminId);
});
beforeEach(async () => {
  await db().levelRule.deleteMany();
  await db().membershipRule.deleteMany();
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const patch = (body: unknown, session = admin) => callWith(session, PATCH, { method: 'PATCH', body });
const setRules = async (rules: Partial<LevelRules>) => {
  const answer = await patch({ ...NONE, ...rules, before: await readLevelRules() });
  expect([answer.status, await answer.json()]).toMatchObject([200, rules]);
};
const shopper = async (level = 0) => {
  const { userId } = await makeUser('shopper', level);
  return { userId, session: await sessionOf(userId) };
};
let orders = Date.now();
const earn = (userId: string, points: number) => {
  orders += 1;
  const kind = points > 0 ? 'earned' : 'taken_back';
  return writePoints([{ userId, orderNo: String(orders), kind, points }]);
};
const levelOf = async (session: string) => (await userOfSession(session))?.level;
const ownLevel = async (session: string): Promise<OwnLevel> => (await callWith(session, READ_OWN)).json();
const consume = async () => {
  for (const consumer of createConsumers().consumers) await consumeMessages(consumer);
};
/** Makes an order of a product that is a membership, pays it, and lets its messages be taken. */
async function buyMembership(rule: { level: number; days: number }) {
  const order = await createOrderFixture({ priceMinor: 4_290 });
  const { productId } = await db().sale.findUniqueOrThrow({ where: { id: order.saleId } });
  await setRules({ byMembership: [{ productId, ...rule }] });
  await payFor(order.orderNo);
  await consume();
  return { ...order, productId, session: await sessionOf(order.userId) };
}
/** Moves a payment so that its days, of 24 hours, end this many seconds from now by Postgres's clock. */
const endIn = (orderNo: string, sec: number) => db().$executeRaw`
  UPDATE memberships SET paid_at = clock_timestamp() + make_interval(secs => ${sec}::int - days * ${DAY_SEC})
  WHERE order_id = ${orderNo}::bigint`;

describe('[G16] levels by points', () => {
  it('are earned at the point that the rule names, lost one below it, and shown with what is missing', async () => {
    await setRules({ byPoints: BY_POINTS });
    const { userId, session } = await shopper();
    expect(await ownLevel(session)).toEqual({
      level: 0,
      until: null,
      points: 0,
      byPoints: BY_POINTS,
      memberships: [],
    });
    const steps = [
      [99, 0],
      [1, 2],
      [199, 2],
      [1, 5],
      [-1, 2],
      [-200, 0],
    ] as const;
    for (const [points, level] of steps) {
      await earn(userId, points);
      expect([points, await levelOf(session), (await ownLevel(session)).level]).toEqual([
        points,
        level,
        level,
      ]);
    }
    await earn(userId, 1);
    await setRules({});
    expect(await levelOf(session)).toBe(0);
  });

  it('a refund takes points and level back', async () => {
    await setRules({ byPoints: [{ level: 1, minPoints: 42 }] });
    const { orderNo, userId, saleId } = await createOrderFixture({ priceMinor: 4_290 });
    const session = await sessionOf(userId);
    await payFor(orderNo);
    await consume();
    expect(await ownLevel(session)).toMatchObject({ level: 1, points: 42 });
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    const merchant = { userId: merchantId, role: 'merchant' } as const;
    const refunded = await refundOrder(merchant, orderNo, { reason: 'x', returnStock: true });
    expect(refunded.status).toBe('refunded');
    await consume();
    expect(await ownLevel(session)).toMatchObject({ level: 0, points: 0 });
  });

  it('count below a higher level that staff gave, and above a lower one', async () => {
    await setRules({ byPoints: BY_POINTS });
    const [high, low] = [await shopper(3), await shopper(1)];
    for (const { userId } of [high, low]) await earn(userId, 100);
    expect([await levelOf(high.session), await levelOf(low.session)]).toEqual([3, 2]);
    const listed = await callWith(admin, LIST_USERS, { query: { search: low.userId } });
    expect(await listed.json()).toMatchObject({ users: [{ level: 1, currentLevel: 2 }] });
  });

  it('open a sale that asks for one from the next request on, and count for waitlists and draws', async () => {
    await setRules({ byPoints: BY_POINTS });
    const { sale } = await makeSale({ minLevel: 2 });
    const [earner, given] = [await shopper(), await shopper(3)];
    const enter = async () => {
      const user = await userOfSession(earner.session);
      return user && issueEntry(sale.saleId, user);
    };
    expect(await enter()).toEqual({ status: 'level_too_low', minLevel: 2 });
    await earn(earner.userId, 100);
    expect(await enter()).toMatchObject({ status: 'entered' });
    const members = await readMembers([earner.userId, given.userId]);
    expect([earner, given].map(({ userId }) => members.get(userId)?.level)).toEqual([2, 3]);

    const draw = await createDrawFixture({ weights: 'level', users: 2 });
    const [early = '', late = ''] = draw.userIds;
    await earn(early, 100);
    await db().user.update({ where: { id: late }, data: { level: 3 } });
    expect((await readEntrants(draw.saleId)).map(({ level }) => level)).toEqual([2, 3]);
    const shown = await readAdminDraw({ userId: adminId, role: 'admin' }, draw.saleId);
    expect(shown).toMatchObject({ draw: { weights: [{ weight: 3 }, { weight: 4 }] } });
  });
});

describe('[G16] paid membership', () => {
  it('is given once by a paid order, keeps what it was sold with, and goes with a refund', async () => {
    const { session, orderNo, saleId, userId } = await buyMembership({ level: 4, days: 365 });
    const { paidAt } = await db().order.findFirstOrThrow({ where: { id: BigInt(orderNo) } });
    const until = Number(paidAt) + 365 * DAY_SEC * 1_000;
    expect(await ownLevel(session)).toMatchObject({ level: 4, until, points: 42 });
    await db()
      .$executeRaw`UPDATE outgoing_messages SET sent_at = NULL, next_attempt_at = now() WHERE topic = 'points'`;
    await setRules({});
    await consume();
    expect(await db().membership.count({ where: { userId } })).toBe(1);
    expect(await levelOf(session)).toBe(4);
    const { merchantId } = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
    await refundOrder({ userId: merchantId, role: 'merchant' }, orderNo, { reason: 'x', returnStock: true });
    await consume();
    expect(await ownLevel(session)).toMatchObject({ level: 0, until: null, points: 0 });
  });

  it('ends to the second by Postgres’s clock; what was earned or given stays', async () => {
    const { session, orderNo, userId } = await buyMembership({ level: 4, days: 30 });
    await endIn(orderNo, 60);
    expect(await levelOf(session)).toBe(4);
    await endIn(orderNo, 0);
    expect(await ownLevel(session)).toMatchObject({ level: 0, until: null });
    await endIn(orderNo, 60);
    await db().user.update({ where: { id: userId }, data: { level: 4 } });
    expect(await ownLevel(session)).toMatchObject({ level: 4, until: null });
    await db().user.update({ where: { id: userId }, data: { level: 1 } });
    await setRules({ byPoints: [{ level: 2, minPoints: 42 }] });
    await endIn(orderNo, 0);
    expect(await ownLevel(session)).toMatchObject({ level: 2, until: null });
  });

  it('lasts for its days after another one that still runs, and for those of each unit', async () => {
    const { userId, session } = await shopper();
    const at = Date.now();
    const write = (orderId: number, level: number, days: number, daysAgo: number) =>
      db().membership.create({
        data: { userId, orderId, level, days, paidAt: new Date(at - daysAgo * DAY_SEC * 1_000) },
      });
    const endsInDays = async () => (Number((await ownLevel(session)).until) - at) / DAY_SEC / 1_000;
    await write(1, 2, 10, 100);
    await write(2, 2, 10, 8);
    expect(await endsInDays()).toBe(2);
    // Paid twice in the same instant, while the second one lasts.
    await write(3, 2, 20, 1);
    await write(4, 2, 20, 1);
    expect(await endsInDays()).toBe(42);
    await write(5, 7, 1, 0);
    expect(await endsInDays()).toBe(1);
    await writePoints([{ userId, orderNo: '2', kind: 'taken_back', points: 0 }]);
    await db().membership.delete({ where: { userId_orderId: { userId, orderId: 5 } } });
    expect(await endsInDays()).toBe(39);
    // More days than Postgres has dates for break nothing.
    await write(6, 2, 2_000_000_000, 0);
    expect(await levelOf(session)).toBe(2);
  });

  it('is offered with the sale of it that is not over', async () => {
    const [over, live] = [await makeSale(), await makeSale()];
    await db().sale.update({
      where: { id: over.sale.saleId },
      data: { startsAt: new Date(1_000), entryOpensAt: new Date(1_000), endsAt: new Date(2_000) },
    });
    const rows = await db().sale.findMany({ where: { id: { in: [over.sale.saleId, live.sale.saleId] } } });
    const productOf = (saleId: string) => rows.find(({ id }) => id === saleId)?.productId ?? '';
    await setRules({
      byMembership: [
        { productId: productOf(live.sale.saleId), level: 2, days: 30 },
        { productId: productOf(over.sale.saleId), level: 3, days: 365 },
      ],
    });
    expect((await ownLevel((await shopper()).session)).memberships).toEqual([
      { level: 2, days: 30, name: 'Lantern', slug: live.sale.slug },
      { level: 3, days: 365, name: 'Lantern', slug: null },
    ]);
  });
});

describe('[G16] the rules', () => {
  it('refuse nonsense, an unknown product, other roles and those who saw other rules', async () => {
    const rules = { ...NONE, byPoints: BY_POINTS };
    await setRules(rules);
    const most = Array.from({ length: 21 }, (_, at) => ({ level: at + 1, minPoints: at + 1 }));
    const membership = { productId: 'product_none', level: 1, days: 1 };
    const wrong: unknown[] = [
      ...[
        [{ level: 0, minPoints: 1 }],
        [{ level: 1, minPoints: 0 }],
        [{ level: 1_001, minPoints: 1 }],
        [{ level: 1, minPoints: 1.5 }],
        [{ level: 1, minPoints: 1e12 }],
        [{ level: '1', minPoints: 1 }],
        [{ level: 1, minPoints: 1, more: 1 }],
        BY_POINTS.toReversed(),
        BY_POINTS.map((rule) => ({ ...rule, minPoints: 5 })),
        BY_POINTS.map((rule) => ({ ...rule, level: 5 })),
        most,
        'none',
        null,
      ].map((byPoints) => ({ ...NONE, byPoints })),
      ...[
        [{ ...membership, days: 0 }],
        [{ ...membership, days: 3_651 }],
        [{ ...membership, level: 0 }],
        [{ ...membership, productId: '' }],
        [membership, { ...membership, level: 2 }],
      ].map((byMembership) => ({ ...NONE, byMembership })),
      {},
    ];
    for (const edit of wrong)
      expect((await patch({ ...(edit as object), before: rules })).status, JSON.stringify(edit)).toBe(422);
    const unknown = await patch({ ...NONE, byMembership: [membership], before: rules });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    const late = await patch({ ...NONE, before: NONE });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: 'VERSION_CONFLICT', current: rules },
    ]);
    for (const role of ['shopper', 'merchant', 'support', 'auditor', 'operator'] as const) {
      const session = await sessionOf((await makeUser(role)).userId);
      expect((await patch({ ...NONE, before: rules }, session)).status).toBe(403);
    }
    expect(await readLevelRules()).toEqual(rules);
    await setRules({ byPoints: most.slice(0, 20) });
    const { userId, session } = await shopper();
    await earn(userId, 17);
    expect(await levelOf(session)).toBe(17);
  });

  it('are changed by one of two admins at once, and recorded; the same again changes nothing', async () => {
    const since = new Date();
    const wishes = BY_POINTS.map((rule) => ({ ...NONE, byPoints: [rule] }));
    const answers = await Promise.all(wishes.map((wish) => patch({ ...wish, before: NONE })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const rules = await readLevelRules();
    expect(wishes).toContainEqual(rules);
    expect(await (await callWith(admin, GET)).json()).toEqual({ ...rules, products: {} });
    expect((await patch({ ...rules, before: rules })).status).toBe(200);
    const entries = await db().auditEntry.findMany({
      where: { action: 'level.set_rules', at: { gte: since } },
    });
    expect(entries).toMatchObject([
      { actorId: adminId, before: { byPoints: [] }, after: { byPoints: rules.byPoints } },
    ]);
  });
});
