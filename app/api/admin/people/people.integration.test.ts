import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST as END } from '@/app/api/admin/users/[userId]/revoke-sessions/route';
import { userOfSession } from '@/lib/account/current-user';
import { createOrderFixture } from '@/lib/checkout/testing/order-fixture';
import { payFor } from '@/lib/checkout/testing/pay-for';
import type { Role } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount } from '@/test/support/make-account';
import { makeUser } from '@/test/support/make-sale';
import { POST as MAIL } from './[userId]/mails/route';
import { GET as READ } from './[userId]/route';
import { GET as FIND } from './route';

const mails = keepMailsApart();
const sessions = {} as Record<Role, string>;
let supportId: string;
beforeAll(async () => {
  for (const role of ['support', 'auditor', 'merchant', 'admin', 'shopper'] as const) {
    const { userId } = await makeUser(role);
    sessions[role] = await sessionOf(userId);
    if (role === 'support') supportId = userId;
  }
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function someOrder() {
  const { orderNo, saleId } = await createOrderFixture();
  const { userId } = await db().order.findFirstOrThrow({ where: { id: BigInt(orderNo) } });
  return { orderNo, saleId, userId };
}
const find = (search: string, session = sessions.support) => callWith(session, FIND, { query: { search } });
const foundBy = async (search: string) =>
  ((await (await find(search)).json()) as { people: { userId: string }[] }).people.map(
    ({ userId }) => userId,
  );
const read = (userId: string, session = sessions.support) => callWith(session, READ, { params: { userId } });
const mail = (userId: string, body: unknown, session = sessions.support) =>
  callWith(session, MAIL, { method: 'POST', params: { userId }, body });
const end = (userId: string, session = sessions.support) =>
  callWith(session, END, { method: 'POST', params: { userId } });
const actionsOn = async (subjectId: string) =>
  (await db().auditEntry.findMany({ where: { subjectId, actorId: supportId }, orderBy: { id: 'asc' } })).map(
    ({ action }) => action,
  );

describe('[N9] a person', () => {
  it('is found by address, id and order, and each search is written down without what was searched', async () => {
    const { orderNo, userId } = await someOrder();
    const { email } = await db().user.findUniqueOrThrow({ where: { id: userId } });
    for (const search of [email.toUpperCase(), email.slice(0, -4), userId, orderNo, ` ${userId} `])
      expect(await foundBy(search), search).toEqual([userId]);
    for (const search of [`${userId}x`, '99999999999999999999', '%%%', 'nobody at all'])
      expect(await foundBy(search), search).toEqual([]);
    for (const search of ['', 'ab', 'x'.repeat(255)]) expect((await find(search)).status, search).toBe(422);
    const entries = await db().auditEntry.findMany({
      where: { action: 'person.search', actorId: supportId },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ after }) => after)).toEqual(
      [1, 1, 1, 1, 1, 0, 0, 0, 0].map((found) => ({ found })),
    );
    expect(JSON.stringify(entries.map(({ subjectId, after }) => [subjectId, after]))).not.toContain(email);
  });

  it('is shown with all that helps, and with no secret; each look is in the audit log', async () => {
    const { orderNo, userId, saleId } = await someOrder();
    const session = await sessionOf(userId);
    await payFor(orderNo);
    await db().refusal.create({
      data: {
        saleId,
        userId,
        place: 'entry',
        code: 'SALE_ENDED',
        risk: 'none',
        firstAt: new Date(),
        lastAt: new Date(),
        times: 2,
      },
    });
    const text = await (await read(userId)).text();
    expect(JSON.parse(text)).toMatchObject({
      user: { userId, role: 'shopper', hasSecondFactor: false },
      deletedAt: null,
      sessions: [{ browser: expect.any(String) }],
      orders: [{ orderNo, saleId, status: 'paid' }],
      refusals: [{ saleId, place: 'entry', code: 'SALE_ENDED', times: 2 }],
      notices: [],
    });
    const { id } = await db().session.findFirstOrThrow({ where: { userId } });
    for (const secret of ['passwordHash', 'password_hash', id, session]) expect(text).not.toContain(secret);
    expect(await actionsOn(userId)).toEqual(['person.read']);
    expect((await read('user_nobody')).status).toBe(404);
  });

  it('is nobody else’s business', async () => {
    const { userId } = await makeUser();
    for (const session of [sessions.merchant, sessions.shopper, null as never]) {
      const status = session === null ? 401 : 403;
      expect((await find(userId, session)).status).toBe(status);
      expect((await read(userId, session)).status).toBe(status);
      expect((await mail(userId, { kind: 'verification' }, session)).status).toBe(status);
    }
    // Auditors look, and change nothing.
    expect((await read(userId, sessions.auditor)).status).toBe(200);
    expect((await mail(userId, { kind: 'verification' }, sessions.auditor)).status).toBe(403);
    expect((await end(userId, sessions.auditor)).status).toBe(403);
  });
});

describe('[N9] support', () => {
  it('ends a shopper’s sessions, and no colleague’s', async () => {
    const { userId } = await makeUser();
    const session = await sessionOf(userId);
    expect((await end(userId)).status).toBe(200);
    expect(await userOfSession(session)).toBeNull();
    const colleague = await makeUser('admin');
    const theirs = await sessionOf(colleague.userId);
    expect((await end(colleague.userId)).status).toBe(403);
    expect(await userOfSession(theirs)).toMatchObject({ role: 'admin' });
    expect((await end(colleague.userId, sessions.admin)).status).toBe(200);
  });

  it('sends mails again, to the account’s own address, not more often than the person could', async () => {
    const { id, email } = await makeAccount();
    for (const kind of ['verification', 'password_reset']) {
      const answer = await mail(id, { kind });
      expect([answer.status, await answer.json()], kind).toEqual([202, { sentTo: email }]);
      expect((await mail(id, { kind })).status, kind).toBe(429);
    }
    const sent = () =>
      readdirSync(mails.path)
        .filter((name) => name.includes(id))
        .toSorted();
    await expect.poll(sent).toEqual([`reset-${id}.eml`, `verify-${id}.eml`]);
    await db().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
    expect(await (await mail(id, { kind: 'verification' })).json()).toMatchObject({
      code: 'EMAIL_ALREADY_VERIFIED',
    });
    await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
    expect(await (await mail(id, { kind: 'password_reset' })).json()).toMatchObject({
      code: 'ACCOUNT_BANNED',
    });
    expect(await actionsOn(id)).toEqual(['person.send_mail', 'person.send_mail']);
  });

  it('says so where the person wants no such mails, and sends none', async () => {
    const { orderNo, userId } = await someOrder();
    await db().user.update({ where: { id: userId }, data: { mutedMails: ['reminders'] } });
    const body = { kind: 'order', orderNo };
    const muted = await mail(userId, body);
    expect([muted.status, await muted.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'MAIL_MUTED' }),
    ]);
    expect(await actionsOn(userId)).toEqual([]);
    // What becomes of the money is always mailed.
    await payFor(orderNo);
    expect((await mail(userId, body)).status).toBe(202);
    expect(await actionsOn(userId)).toEqual(['person.send_mail']);
  });

  it('sends the mail of an order again, once of many presses, and of no other person’s order', async () => {
    const { orderNo, userId } = await someOrder();
    await payFor(orderNo);
    const body = { kind: 'order', orderNo };
    const answers = await Promise.all(Array.from({ length: 4 }, () => mail(userId, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 429, 429, 429]);
    const again = await db().$queryRaw<{ kind: string }[]>`
      SELECT payload->>'kind' AS kind FROM outgoing_messages
      WHERE topic = 'mail' AND payload->>'orderNo' = ${orderNo} AND payload->>'key' LIKE '%again%'`;
    expect(again).toEqual([{ kind: 'order_paid' }]);
    const other = await makeUser();
    expect((await mail(other.userId, body)).status).toBe(404);
    for (const wrong of [
      { kind: 'order' },
      { kind: 'verification', orderNo },
      { kind: 'anything' },
      { kind: 'order', orderNo: 'x'.repeat(30) },
      {},
    ])
      expect((await mail(userId, wrong)).status, JSON.stringify(wrong)).toBe(422);
    for (const unknown of ['0', 'abc', newId('o').slice(0, 20), '1'])
      expect((await mail(userId, { kind: 'order', orderNo: unknown })).status, unknown).toBe(404);
  });
});
