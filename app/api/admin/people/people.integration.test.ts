import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST as END } from '@/app/api/admin/users/[userId]/revoke-sessions/route';
import { userOfSession } from '@/lib/account/current-user';
import type { Role } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { traceShopper } from '@/lib/why/admin/trace-shopper';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount } from '@/test/support/make-account';
import { makeUser } from '@/test/support/make-sale';
import { POST as MAIL } from './[userId]/mails/route';
import { GET as FIND } from './route';

const mails = keepMailsApart();
const sessions = {} as Record<Role, string>;
let supportId: string;
beforeAll(async () => {
  for (const role of ['support', 'admin'] as const) {
    const { userId } = await makeUser(role);
    sessions[role] = await sessionOf(userId);
    if (role === 'support') supportId = userId;
  }
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function someOrder() {
  const { orderNo, saleId, userId } = await createOrderFixture();
  return { orderNo, saleId, userId };
}
const find = (who: string, session = sessions.support) => callWith(session, FIND, { query: { who } });
const mail = (userId: string, body: unknown) =>
  callWith(sessions.support, MAIL, { method: 'POST', params: { userId }, body });
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];
const end = (userId: string, session = sessions.support) =>
  callWith(session, END, { method: 'POST', params: { userId } });
const recordedOn = async (subjectId: string) =>
  (await db().auditEntry.findMany({ where: { subjectId, actorId: supportId }, orderBy: { id: 'asc' } })).map(
    ({ action, after }) => [action, after],
  );

describe('a person', () => {
  it('[N9] is found by address, id and order number alone, and each look is in the audit log', async () => {
    const { orderNo, userId } = await someOrder();
    const { email } = await db().user.findUniqueOrThrow({ where: { id: userId } });
    for (const who of [email.toUpperCase(), userId, orderNo, ` ${userId} `])
      expect(await (await find(who)).json(), who).toMatchObject({ user: { userId } });
    expect(await recordedOn(userId)).toEqual(Array(4).fill(['person.read', null]));
    for (const who of [email.slice(0, -1), '%', `${userId}x`, '99999999999999999999', '1', '@', 'Ā'])
      expect(await codeOf(await find(who)), who).toEqual([404, 'USER_NOT_FOUND']);
    for (const who of ['', ' ', 'x'.repeat(255), '\0']) expect((await find(who)).status, who).toBe(422);
  });

  it('[N9 M5] is shown with all that helps, and with no secret', async () => {
    const { orderNo, userId, saleId } = await someOrder();
    const session = await sessionOf(userId);
    await payFor(orderNo);
    const at = new Date();
    for (const risk of ['none', 'challenged'])
      await db().refusal.create({
        data: { saleId, userId, place: 'entry', code: 'SALE_ENDED', risk, firstAt: at, lastAt: at, times: 1 },
      });
    await db().notification.create({
      data: { userId, kind: 'order_paid', orderId: BigInt(orderNo), messageId: `m ${orderNo}` },
    });
    const text = await (await find(userId)).text();
    expect(JSON.parse(text)).toMatchObject({
      user: { userId, role: 'shopper', secondFactorAt: null },
      sessions: [{ browser: expect.any(String), lastSeenAt: expect.any(Number) }],
      orders: [{ orderNo, saleId, status: 'paid' }],
      refusals: [{ saleId, place: 'entry', code: 'SALE_ENDED', times: 2 }],
      notices: [{ kind: 'order_paid', orderNo, readAt: null }],
    });
    const { id } = await db().session.findFirstOrThrow({ where: { userId } });
    for (const secret of ['assword', id, session]) expect(text).not.toContain(secret);
  });

  it('[N9 M5] whose attempts in a sale are traced has that look in the audit log, too', async () => {
    const { userId, saleId } = await someOrder();
    const actor = { userId: supportId, role: 'support' } as const;
    expect((await traceShopper(actor, saleId, userId)).status).toBe('traced');
    expect(await recordedOn(userId)).toEqual([['person.trace', { saleId }]]);
  });
});

describe('support', () => {
  it('[N3 N9] ends a shopper’s sessions, and no colleague’s', async () => {
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    expect((await end(userId)).status).toBe(200);
    expect(await userOfSession(session)).toBeNull();
    const colleague = await makeUser('merchant');
    const theirs = await sessionOf(colleague.userId);
    expect(await codeOf(await end(colleague.userId))).toEqual([403, 'FORBIDDEN']);
    expect(await userOfSession(theirs)).toMatchObject({ role: 'merchant' });
    expect((await end(colleague.userId, sessions.admin)).status).toBe(200);
    expect(await userOfSession(theirs)).toBeNull();
  });

  it('[N9] sends the mails of an account again, to its own address, no more often than its owner could', async () => {
    const { id, email } = await makeAccount();
    for (const kind of ['verification', 'password_reset']) {
      const answer = await mail(id, { kind });
      expect([answer.status, await answer.json()], kind).toEqual([202, { sentTo: email }]);
      const again = await mail(id, { kind });
      expect(again.headers.get('retry-after')).not.toBeNull();
      expect(await codeOf(again), kind).toEqual([429, 'RATE_LIMITED']);
    }
    for (const start of ['verify', 'reset']) expect(await mails.only(`${start}-${id}`)).toContain(email);
    expect(await recordedOn(id)).toEqual([
      ['person.send_mail', { kind: 'verification' }],
      ['person.send_mail', { kind: 'password_reset' }],
    ]);
  });

  it('[N9] sends no account a mail that leads nowhere', async () => {
    const { id } = await makeAccount();
    const refused = async (kind: string) => codeOf(await mail(id, { kind }));
    await db().user.update({ where: { id }, data: { emailVerifiedAt: new Date(), isDemo: true } });
    expect(await refused('verification')).toEqual([409, 'EMAIL_VERIFIED']);
    expect(await refused('password_reset')).toEqual([409, 'DEMO_ACCOUNT']);
    await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
    expect(await refused('password_reset')).toEqual([409, 'ACCOUNT_BANNED']);
    await db().user.update({ where: { id }, data: { deletedAt: new Date() } });
    expect(await refused('verification')).toEqual([404, 'USER_NOT_FOUND']);
    expect(await recordedOn(id)).toEqual([]);
  });

  it('[N9] sends the mail about an order again, once for many presses, and about nobody else’s', async () => {
    const { orderNo, userId } = await someOrder();
    await payFor(orderNo);
    const body = { kind: 'order', orderNo };
    const answers = await Promise.all(Array.from({ length: 4 }, () => mail(userId, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429]);
    const again = await db().$queryRaw<{ topic: string; kind: string }[]>`
      SELECT topic, payload->>'kind' AS kind FROM outgoing_messages
      WHERE payload->>'orderNo' = ${orderNo} AND payload->>'key' LIKE '%again%'`;
    expect(again).toEqual([{ topic: 'mail', kind: 'order_paid' }]);
    expect(await recordedOn(userId)).toEqual([['person.send_mail', body]]);
    const other = await makeUser();
    expect(await codeOf(await mail(other.userId, body))).toEqual([404, 'ORDER_NOT_FOUND']);
    for (const unknown of ['0', 'abc', '', '1', '99999999999999999999'])
      expect((await mail(userId, { kind: 'order', orderNo: unknown })).status, unknown).toBe(404);
    for (const wrong of [
      { kind: 'order' },
      { kind: 'verification', orderNo },
      { kind: 'anything' },
      { kind: 'order', orderNo: 'x'.repeat(41) },
      {},
    ])
      expect((await mail(userId, wrong)).status, JSON.stringify(wrong)).toBe(422);
  });
});
