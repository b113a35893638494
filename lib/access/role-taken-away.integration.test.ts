import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as exportAudit } from '@/app/api/admin/audit/export/route';
import { POST as retryLetter } from '@/app/api/admin/dead-letters/[id]/retry/route';
import { POST as refund } from '@/app/api/admin/orders/[orderNo]/refund/route';
import { GET as readPerson } from '@/app/api/admin/people/[userId]/route';
import { POST as pause } from '@/app/api/admin/sales/[saleId]/pause/route';
import { POST as restock } from '@/app/api/admin/sales/[saleId]/stock/route';
import { POST as ban } from '@/app/api/admin/users/[userId]/ban/route';
import { POST as revoke } from '@/app/api/admin/users/[userId]/revoke-sessions/route';
import { userOfSession } from '@/lib/account/current-user';
import { updateUser } from '@/lib/account/update-user';
import { verifyChain } from '@/lib/audit/verify-chain';
import { findBlock } from '@/lib/block/find-block';
import { watchBlocks } from '@/lib/block/watch-blocks';
import { compensateOrders } from '@/lib/checkout/order/compensate-orders';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';
import { standOf } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { buy, countStock, createSaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { readStock } from '@/lib/stock/read-stock';
import { type Call, callWith, sessionOf } from '@/test/support/call-as';
import { expectSound } from '@/test/support/expect-sound';
import { makeUser } from '@/test/support/make-sale';

beforeAll(() => watchBlocks());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

type Handler = Parameters<typeof callWith>[1];
/** What staff do, to what, and how to see that nothing of it is done. */
type Work = {
  handler: unknown;
  call: Call;
  subjectId: string;
  /** What it waits for in this test: what is locked last, unless it locks all admins before. */
  waitsFor?: 'users';
  expectUndone: () => Promise<void>;
};

const post = (params: Record<string, string>, body?: unknown): Call => ({ method: 'POST', params, body });

async function newPaidOrder() {
  const sale = await createSaleFixture({ users: 2, total: 3 });
  const { orderNo } = await buy(sale, sale.userIds[0] as string);
  await drainOutbox(sale.saleId);
  await payFor(orderNo);
  return { sale, orderNo };
}

const WORK: Record<string, () => Promise<Work>> = {
  'a refund': async () => {
    const { sale, orderNo } = await newPaidOrder();
    return {
      handler: refund,
      call: post({ orderNo }, { reason: 'broken', returnStock: true }),
      subjectId: orderNo,
      expectUndone: async () => {
        expect(await standOf(orderNo)).toBe('paid, payment succeeded');
        await expectSound(sale);
      },
    };
  },
  'a pause, which has reached Redis already': async () => {
    const sale = await createSaleFixture({ users: 1 });
    return {
      handler: pause,
      call: post({ saleId: sale.saleId }),
      subjectId: sale.saleId,
      expectUndone: async () => {
        expect(await db().sale.findUnique({ where: { id: sale.saleId } })).toMatchObject({ paused: false });
        await buy(sale, sale.userIds[0] as string);
        await expectSound(sale);
      },
    };
  },
  'more stock, which has reached Redis already': async () => {
    const sale = await createSaleFixture({ users: 1, total: 2 });
    return {
      handler: restock,
      call: post({ saleId: sale.saleId }, { delta: 5, reason: 'found some' }),
      subjectId: sale.saleId,
      expectUndone: async () => {
        expect(await readStock(sale.saleId)).toMatchObject({ available: 2 });
        await expectSound(sale);
      },
    };
  },
  'an order that is made of a dead letter': async () => {
    const sale = await createSaleFixture({ users: 1, total: 1 });
    const order = await buy(sale, sale.userIds[0] as string);
    await compensateOrders({ saleId: sale.saleId, orders: [order] }, 'broken disk');
    const { id } = await db().deadLetter.findFirstOrThrow({ where: { saleId: sale.saleId } });
    return {
      handler: retryLetter,
      call: post({ id: String(id) }),
      subjectId: String(id),
      expectUndone: async () => {
        const { redis } = await countStock(sale.saleId);
        expect(redis).toEqual({ available: 1, held: 0, sold: 0 });
        expect(await db().deadLetter.findUnique({ where: { id } })).toMatchObject({ resolvedAt: null });
        await expectSound(sale);
      },
    };
  },
  'a ban': async () => {
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    return {
      handler: ban,
      call: post({ userId }, { reason: 'resells' }),
      subjectId: userId,
      waitsFor: 'users',
      expectUndone: async () => {
        expect(await userOfSession(session)).toMatchObject({ userId });
        expect(findBlock({ userId })).toBeNull();
      },
    };
  },
  'a look at a person': async () => {
    const { userId } = await makeUser();
    return {
      handler: readPerson,
      call: { params: { userId } },
      subjectId: userId,
      expectUndone: async () => {},
    };
  },
  'an export': async () => ({
    handler: exportAudit,
    call: { query: { subjectId: 'nobody at all' } },
    subjectId: 'audit',
    expectUndone: async () => {},
  }),
};

/** Holds what an action needs, so that it waits there; then takes the role away and lets go. */
async function takeRoleDuring(
  userId: string,
  begin: () => Promise<Response>,
  waitsFor: 'audit_head' | 'users' = 'audit_head',
): Promise<Response> {
  let answer: Promise<Response> | undefined;
  await db().$transaction(
    async (tx) => {
      if (waitsFor === 'users')
        await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
      else await tx.$executeRaw`SELECT 1 FROM audit_head FOR NO KEY UPDATE`;
      answer = begin();
      await expect
        .poll(
          () => db().$queryRaw`
            SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%FROM ${waitsFor}%`}`,
          { timeout: 30_000 },
        )
        .not.toEqual([]);
      await updateUser(tx, userId, { role: 'shopper', endsSessions: true });
    },
    { timeout: 60_000, maxWait: 30_000 },
  );
  return answer as Promise<Response>;
}

const recordedOf = (actorId: string, subjectId: string) =>
  db().auditEntry.count({ where: { actorId, subjectId } });

describe('[N1 N3] a role that is taken away when somebody has begun, and was allowed to', () => {
  it.each(Object.entries(WORK))('leaves nothing of %s', async (_, prepare) => {
    const { handler, call, subjectId, waitsFor, expectUndone } = await prepare();
    const { userId } = await makeUser('admin');
    const session = await sessionOf(userId);
    const answer = await takeRoleDuring(userId, () => callWith(session, handler as Handler, call), waitsFor);
    expect(answer.status, await answer.clone().text()).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await recordedOf(userId, subjectId)).toBe(0);
    await expectUndone();
    expect(await verifyChain()).toMatchObject({ ok: true });
  });

  it('leaves alone what others do at that moment', async () => {
    const [{ sale, orderNo }, leaving, staying] = [
      await newPaidOrder(),
      await makeUser('admin'),
      await makeUser('operator'),
    ];
    const session = await sessionOf(staying.userId);
    const answer = await takeRoleDuring(leaving.userId, () =>
      callWith(session, refund as Handler, post({ orderNo }, { reason: 'broken', returnStock: true })),
    );
    expect(answer.status, await answer.text()).toBe(200);
    expect(await recordedOf(staying.userId, orderNo)).toBe(1);
    await expectSound(sale);
  });
});

describe('[N3] whoever ends their own sessions as staff', () => {
  it('has done so, and it is recorded', async () => {
    const { userId } = await makeUser('admin');
    const session = await sessionOf(userId);
    expect((await callWith(session, revoke as Handler, post({ userId }))).status).toBe(200);
    expect(await userOfSession(session)).toBeNull();
    expect(await recordedOf(userId, userId)).toBe(1);
  });
});
