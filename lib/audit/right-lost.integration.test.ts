import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { POST as refund } from '@/app/api/admin/orders/[orderNo]/refund/route';
import { GET as exportAll } from '@/app/api/admin/orders/export/route';
import { POST as pause } from '@/app/api/admin/sales/[saleId]/pause/route';
import { POST as end } from '@/app/api/admin/users/[userId]/revoke-sessions/route';
import { endSession } from '@/lib/access/end-session';
import { signOutEverywhere } from '@/lib/access/sign-out-everywhere';
import { banUser } from '@/lib/account/admin/ban-user';
import { editUser } from '@/lib/account/admin/edit-user';
import { removeFactors } from '@/lib/account/admin/remove-factors';
import { revokeSessions } from '@/lib/account/admin/revoke-sessions';
import { userOfSession } from '@/lib/account/current-user';
import type { CurrentUser } from '@/lib/account/types';
import type { Actor } from '@/lib/actor/actor';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { env } from '@/lib/env';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { readPerson } from '@/lib/person/read-person';
import { sendPersonMail } from '@/lib/person/send-person-mail';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { reconcileOnDemand } from '@/lib/reconcile/reconcile-on-demand';
import { closeRedis } from '@/lib/redis/client';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { readStock } from '@/lib/stock/read-stock';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { recordAction } from './record-action';
import { verifyChain } from './verify-chain';

keepMailsApart();
const requireFactor = (isStaffFactorRequired: boolean) => Object.assign(env(), { isStaffFactorRequired });
let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('admin');
});
afterEach(() => requireFactor(false));
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const codeOf = async (answer: Response) =>
  answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code;

async function operator() {
  const { userId } = await makeUser('operator');
  await db().user.update({ where: { id: userId }, data: { secondFactorAt: new Date() } });
  const cookie = await sessionOf(userId);
  return { cookie, user: (await userOfSession(cookie)) as CurrentUser };
}
const actionsOf = ({ userId }: CurrentUser) => db().auditEntry.count({ where: { actorId: userId } });

/** Every way in which staff lose the right to act, by others or in another window. */
const LOSSES: Record<string, (user: CurrentUser) => Promise<unknown>> = {
  'another role': ({ userId }) =>
    editUser(admin, userId, { role: 'shopper', before: { role: 'operator', level: 0 } }),
  'a ban': ({ userId }) => banUser(admin, userId, 'left the shop'),
  'the end of all sessions': ({ userId }) => revokeSessions(admin, userId),
  'the end of this session': ({ userId, session }) => endSession(userId, session.id),
  'signing out everywhere': (user) => signOutEverywhere(user),
  'a second factor that an admin removes': ({ userId }) => removeFactors(admin, userId),
};

const somebodyWaits = () =>
  expect
    .poll(
      () => db().$queryRaw`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { timeout: 60_000 },
    )
    .not.toEqual([]);

/** Starts a request that waits for the row of a sale, runs `meanwhile`, and lets it go on. @returns the request's answer */
async function during(saleId: string, start: () => Promise<Response>, meanwhile: () => Promise<unknown>) {
  let answer: Promise<Response> | undefined;
  await transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR UPDATE`;
    answer = start();
    await somebodyWaits();
    await meanwhile();
  }, 90_000);
  return answer as Promise<Response>;
}

describe('an action of staff', () => {
  it.each(Object.entries(LOSSES))('[N3 N9] is undone by %s before its end', async (_, lose) => {
    const { sale } = await makeSale();
    const { cookie, user } = await operator();
    const params = { saleId: sale.saleId };
    const answer = await during(
      sale.saleId,
      () => callWith(cookie, pause as never, { method: 'POST', params }),
      () => lose(user),
    );
    expect(await codeOf(answer)).toBe('UNAUTHENTICATED');
    expect(await db().sale.findUnique({ where: { id: sale.saleId } })).toMatchObject({ status: 'published' });
    expect(await db().auditEntry.count({ where: { actorId: user.userId, action: 'sale.pause' } })).toBe(0);
    expect(await verifyChain()).toMatchObject({ ok: true });
  });

  it('[N5 N9] is undone by a second factor that its owner removes in the same session', async () => {
    const { sale } = await makeSale();
    const { cookie, user } = await operator();
    requireFactor(true);
    const params = { saleId: sale.saleId };
    const answer = await during(
      sale.saleId,
      () => callWith(cookie, pause as never, { method: 'POST', params }),
      () => db().user.update({ where: { id: user.userId }, data: { secondFactorAt: null } }),
    );
    expect(await codeOf(answer)).toBe('SECOND_FACTOR_REQUIRED');
    expect(await actionsOf(user)).toBe(0);
  });

  it('[N3 N9 I1] that moves money is before the entry that took the right away, and done, or not done', async () => {
    for (let nth = 0; nth < 6; nth += 1) {
      const { orderNo } = await createOrderFixture();
      await payFor(orderNo);
      const { cookie, user } = await operator();
      const call = { method: 'POST', params: { orderNo }, body: { reason: 'torn', returnStock: true } };
      const [answer] = await Promise.all([
        callWith(cookie, refund as never, call),
        revokeSessions(admin, user.userId),
      ]);
      const { status } = await db().order.findFirstOrThrow({ where: { id: BigInt(orderNo) } });
      const code = await codeOf(answer);
      expect([code, status]).toEqual(code === 'ok' ? ['ok', 'refunded'] : ['UNAUTHENTICATED', 'paid']);
      const entries = await db().auditEntry.findMany({
        where: { OR: [{ actorId: user.userId }, { subjectId: user.userId }] },
        orderBy: { id: 'asc' },
      });
      const revoked = ['user.revoke_sessions'];
      expect(entries.map(({ action }) => action)).toEqual(
        code === 'ok' ? ['order.refund', ...revoked] : revoked,
      );
    }
  });

  it('[N9] gives no file away once the right is lost: the export is recorded first', async () => {
    const { cookie, user } = await operator();
    let asked: Promise<Response> | undefined;
    await transaction(async (tx) => {
      await recordAction(tx, admin, {
        action: 'user.revoke_sessions',
        subject: { kind: 'user', id: user.userId },
        before: null,
        after: null,
      });
      await tx.user.update({ where: { id: user.userId }, data: { sessionVersion: { increment: 1 } } });
      asked = callWith(cookie, exportAll as never);
      await somebodyWaits();
    }, 90_000);
    expect(await codeOf((await asked) as Response)).toBe('UNAUTHENTICATED');
    expect(await actionsOf(user)).toBe(0);
  });

  it('[N3] may end the actor’s own sessions', async () => {
    const { userId } = await makeUser('admin');
    const cookie = await sessionOf(userId);
    expect((await callWith(cookie, end as never, { method: 'POST', params: { userId } })).status).toBe(200);
    expect(await userOfSession(cookie)).toBeNull();
  });

  it('[N3 C6] that takes units back leaves them on sale in Redis once the right is lost', async () => {
    const { sale } = await makeSale({ totalStock: 10 });
    const { user } = await operator();
    await endSession(user.userId, user.session.id);
    await expect(restockSale(user, sale.saleId, -3)).rejects.toThrow(NotAllowedError);
    expect(await readStock(sale.saleId)).toMatchObject({ total: 10, available: 10 });
  });

  it('[N3 N9] that can’t be undone any more is recorded all the same, and what can is not done', async () => {
    const { saleId, orderNo, userId } = await createOrderFixture();
    const { user } = await operator();
    await db().user.update({ where: { id: user.userId }, data: { role: 'admin' } });
    const actor = { ...user, role: 'admin' as const };
    await endSession(user.userId, user.session.id);
    expect(await reconcileOnDemand(actor, saleId, true)).toMatchObject({ status: 'done' });
    expect(await sendPersonMail(actor, userId, { kind: 'verification' })).toMatchObject({ status: 'sent' });
    await expect(sendPersonMail(actor, userId, { kind: 'order', orderNo })).rejects.toThrow(NotAllowedError);
    await expect(readPerson(actor, userId)).rejects.toThrow(NotAllowedError);
    const entries = await db().auditEntry.findMany({
      where: { actorId: user.userId },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual(['sale.repair', 'person.send_mail']);
    expect(
      await db()
        .$queryRaw`SELECT 1 FROM outgoing_messages WHERE payload->>'key' LIKE ${`%${orderNo}-again%`}`,
    ).toEqual([]);
  });
});
