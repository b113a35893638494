import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST as deleteOwn } from '@/app/api/account/delete/route';
import { POST as refund } from '@/app/api/admin/orders/[orderNo]/refund/route';
import { POST as pay } from '@/app/api/orders/[orderNo]/pay/route';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { claimsOf, sessionCookieName, signSession } from '@/lib/account/sessions/session-token';
import { startSession } from '@/lib/account/sessions/start-session';
import { editUser } from '@/lib/admin/users/edit-user';
import { revokeSessions } from '@/lib/admin/users/revoke-sessions';
import { verifyChain } from '@/lib/audit/verify-chain';
import { answerEntry } from '@/lib/checkout/entry/answer-entry';
import { purchase } from '@/lib/checkout/purchase/purchase';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';
import { standOf } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import { buy, createSaleFixture, readStates, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import type { Role } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { readStock } from '@/lib/stock/read-stock';
import { callWith, sessionOf } from '@/test/support/call-as';
import { expectSound } from '@/test/support/expect-sound';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makeUser } from '@/test/support/make-sale';

keepMailsApart();
let admin: Awaited<ReturnType<typeof makeUser>>;
beforeAll(async () => {
  await watchEndedSessions();
  admin = await makeUser('admin');
});
afterAll(async () => {
  await stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});

/** An account of this role with the session in which it does something. */
async function someone(role: Role) {
  const user = await makeAccount(role);
  const { sessionId } = await startSession(user);
  return { userId: user.id, role, sessionId, cookie: await signSession(claimsOf(user, sessionId)) };
}
type Someone = Awaited<ReturnType<typeof someone>>;

const codeOf = async (answer: Response) =>
  answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code;

/** What may be taken away from somebody, by others or in another tab. Returns `taken`, or why not. */
const TAKEN = {
  'a role that is taken away': ({ userId, role }: Someone) =>
    editUser(admin, userId, { role: 'shopper', before: { role, level: 0 } }).then(({ status }) => status),
  'sessions that are ended': ({ userId }: Someone) =>
    revokeSessions(admin, userId).then(({ status }) => status),
  'an account that is deleted': async ({ userId }: Someone) => {
    const other = await sessionOf(userId);
    const body = { currentPassword: PASSWORD };
    const code = await codeOf(await callWith(other, deleteOwn as never, { method: 'POST', body }));
    return code === 'ok' ? 'changed' : code;
  },
};
const each = Object.entries(TAKEN);

async function enter({ saleId }: SaleFixture, { cookie }: Someone): Promise<string> {
  const headers = new Headers({
    cookie: `${sessionCookieName()}=${cookie}`,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
  });
  const reply = await answerEntry({ saleId, method: 'POST', headers, body: '', address: null });
  expect(reply.status, reply.body).toBe(200);
  return (JSON.parse(reply.body) as { entryToken: string }).entryToken;
}
const press = async ({ saleId, gate }: SaleFixture, entryToken: string) => {
  const { status, body } = await purchase({ saleId, gate, entryToken, body: '' });
  return { status, orderNo: (JSON.parse(body) as { orderNo?: string }).orderNo ?? '' };
};
const payWith = (cookie: string, orderNo: string) =>
  callWith(cookie, pay as never, { method: 'POST', params: { orderNo } }).then(codeOf);
const isKnown = ({ sessionId }: Someone) =>
  expect.poll(() => isSessionEnded(sessionId), { timeout: 30_000, interval: 20 }).toBe(true);
const ordersOf = ({ saleId }: SaleFixture, { userId }: Someone) =>
  db().order.count({ where: { saleId, userId } });

describe.each(each)('%s', (what, take) => {
  const isDeletion = what.includes('deleted');

  it('[N3] between entry and purchase: the purchase is refused, and no unit moves', async () => {
    const sale = await createSaleFixture({ users: 0, total: 2 });
    const buyer = await someone('merchant');
    const token = await enter(sale, buyer);
    expect(await take(buyer)).toBe('changed');
    await isKnown(buyer);
    expect((await press(sale, token)).status).toBe(401);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 2, held: 0 });
    await expectSound(sale);
    expect(await ordersOf(sale, buyer)).toBe(0);
  });

  it('[N3 B1] at the moment of the purchase: it is accepted and becomes an order, or there is none', async () => {
    const sale = await createSaleFixture({ users: 0, total: 20 });
    const buyers = await Promise.all(Array.from({ length: 6 }, () => someone('merchant')));
    const tokens = await Promise.all(buyers.map((buyer) => enter(sale, buyer)));
    const results = await Promise.all(
      buyers.map(async (buyer, at) => {
        const [taken, { status }] = await Promise.all([take(buyer), press(sale, tokens[at] as string)]);
        return { buyer, taken, status };
      }),
    );
    await expectSound(sale);
    for (const { buyer, taken, status } of results) {
      expect(taken).toBe('changed');
      expect([202, 401]).toContain(status);
      expect(await ordersOf(sale, buyer)).toBe(status === 202 ? 1 : 0);
    }
    const accepted = results.filter(({ status }) => status === 202).length;
    expect(await readStock(sale.saleId)).toMatchObject({ available: 20 - accepted, held: accepted });
  });

  // What becomes of the order of a deleted account stands in the test of the deletion.
  it.skipIf(isDeletion)(
    '[N3 B1] between acceptance and the written order: it is theirs, and the next session pays it',
    async () => {
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const buyer = await someone('merchant');
      const { orderNo } = await press(sale, await enter(sale, buyer));
      expect(await take(buyer)).toBe('changed');
      await drainOutbox(sale.saleId);
      expect((await readStates(sale.saleId)).get(orderNo)).toMatchObject({ status: 'pending_payment' });
      expect(await payWith(buyer.cookie, orderNo)).toBe('UNAUTHENTICATED');
      expect(await payWith(await sessionOf(buyer.userId), orderNo)).toBe('ok');
      await payFor(orderNo);
      expect(await standOf(orderNo)).toBe('paid, payment succeeded');
      await expectSound(sale);
    },
  );

  it('[N3 I1] at the moment of the payment: the money counts, once, and the order is paid', async () => {
    for (let nth = 0; nth < 4; nth += 1) {
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const buyer = await someone('merchant');
      const { orderNo } = await buy(sale, buyer.userId);
      await drainOutbox(sale.saleId);
      const [taken, sent] = await Promise.all([take(buyer), payWith(buyer.cookie, orderNo), payFor(orderNo)]);
      // Whoever still owes, or is just paying, has an account.
      expect(isDeletion ? ['changed', 'ACCOUNT_HAS_OPEN_ORDERS'] : ['changed']).toContain(taken);
      expect(['ok', 'UNAUTHENTICATED']).toContain(sent);
      expect(await standOf(orderNo)).toBe('paid, payment succeeded');
      const { deletedAt } = await db().user.findUniqueOrThrow({ where: { id: buyer.userId } });
      expect(deletedAt !== null).toBe(isDeletion && taken === 'changed');
      expect(await db().pointsEntry.count({ where: { userId: buyer.userId } })).toBeLessThanOrEqual(1);
      await expectSound(sale);
    }
  });
});

const REFUND = { reason: 'broken', returnStock: true };
const refundWith = ({ cookie }: Someone, orderNo: string) =>
  callWith(cookie, refund as never, { method: 'POST', params: { orderNo }, body: REFUND }).then(codeOf);
const recorded = (orderNo: string) =>
  db().auditEntry.count({ where: { subjectId: orderNo, action: 'order.refund' } });

/** In the log nobody acts after the entry that took their right away. */
async function expectBefore(orderNo: string, userId: string): Promise<void> {
  const [acted, taken] = await Promise.all([
    db().auditEntry.findFirstOrThrow({ where: { subjectId: orderNo, action: 'order.refund' } }),
    db().auditEntry.findFirstOrThrow({ where: { subjectId: userId }, orderBy: { id: 'desc' } }),
  ]);
  expect(acted.id).toBeLessThan(taken.id);
}

async function paidOrder() {
  const sale = await createSaleFixture({ users: 1, total: 2 });
  const { orderNo } = await buy(sale, sale.userIds[0] as string);
  await drainOutbox(sale.saleId);
  await payFor(orderNo);
  return { sale, orderNo };
}

describe.each(each)('%s while its owner refunds', (_, take) => {
  it('[N1 N3] at the same moment: the refund is whole and recorded, or there is none; a later one is refused', async () => {
    for (let nth = 0; nth < 4; nth += 1) {
      const [{ sale, orderNo }, second] = [await paidOrder(), await paidOrder()];
      const staff = await someone('operator');
      const [taken, code] = await Promise.all([take(staff), refundWith(staff, orderNo)]);
      expect(taken).toBe('changed');
      expect(['ok', 'UNAUTHENTICATED', 'FORBIDDEN']).toContain(code);
      const isDone = code === 'ok';
      expect(await standOf(orderNo)).toBe(
        isDone ? 'refunded, payment refund_due' : 'paid, payment succeeded',
      );
      expect(await recorded(orderNo)).toBe(isDone ? 1 : 0);
      if (isDone) await expectBefore(orderNo, staff.userId);
      expect(await refundWith(staff, second.orderNo)).toBe('UNAUTHENTICATED');
      expect(await recorded(second.orderNo)).toBe(0);
      await expectSound(sale);
    }
    expect(await verifyChain()).toMatchObject({ ok: true });
  });

  it('[N1 N3] that had begun before, and was allowed then: nothing of it is done', async () => {
    const { sale, orderNo } = await paidOrder();
    const staff = await someone('operator');
    let refunded: Promise<string> | undefined;
    await db().$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT 1 FROM payments WHERE id = ${`pay_${orderNo}`} FOR UPDATE`;
        refunded = refundWith(staff, orderNo);
        await expect
          .poll(
            () => db().$queryRaw`
              SELECT 1 FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payments%'`,
            { timeout: 60_000 },
          )
          .not.toEqual([]);
        expect(await take(staff)).toBe('changed');
        expect(await standOf(orderNo)).toBe('paid, payment succeeded');
      },
      { timeout: 120_000 },
    );
    expect(await refunded).toBe('UNAUTHENTICATED');
    expect(await standOf(orderNo)).toBe('paid, payment succeeded');
    expect(await recorded(orderNo)).toBe(0);
    await expectSound(sale);
  });
});
