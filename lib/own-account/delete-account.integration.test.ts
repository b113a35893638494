import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET, POST } from '@/app/api/account/deletion/route';
import { POST as postChangeEmail } from '@/app/api/account/email/route';
import { POST as postReset } from '@/app/api/password/reset/route';
import { beginTotp } from '@/lib/access/begin-totp';
import { changePassword } from '@/lib/access/change-password';
import { confirmTotp } from '@/lib/access/confirm-totp';
import { registerAccount } from '@/lib/access/register-account';
import { signIn } from '@/lib/access/sign-in';
import { banUser, unbanUser } from '@/lib/account/admin/ban-user';
import { editUser } from '@/lib/account/admin/edit-user';
import { userOfSession } from '@/lib/account/current-user';
import { totpCode } from '@/lib/account/factors/totp';
import { listUsers } from '@/lib/account/list-users';
import { lockAccount } from '@/lib/account/lock-account';
import { signReset } from '@/lib/account/reset-token';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import type { CurrentUser } from '@/lib/account/types';
import type { Actor } from '@/lib/actor/actor';
import { verifyChain } from '@/lib/audit/verify-chain';
import { registration } from '@/lib/contract/shapes/account';
import { deletedEmail } from '@/lib/contract/words/deleted-email';
import type { Role } from '@/lib/contract/words/roles';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { runDraws } from '@/lib/draw/run-draws';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids/new-id';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { createConsumers } from '@/lib/order/consumers';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { releaseUnpaid } from '@/lib/payment/release-unpaid';
import { returnMoney } from '@/lib/payment/return-money';
import { purchase } from '@/lib/purchase/purchase';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { standOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { buy, createSaleFixture, makeOverdue, readStates } from '@/lib/purchase/testing/sale-fixture';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { readBuyer } from '@/lib/stock/read-buyer';
import { readStock } from '@/lib/stock/read-stock';
import { verifyLines } from '@/lib/verify/verify-lines';
import { verifyLog } from '@/lib/verify/verify-log';
import { verifySale } from '@/lib/verify/verify-sale';
import { readPlace } from '@/lib/waitlist/records/read-place';
import { join, serve, soldOut } from '@/lib/waitlist/testing/waitlist-fixture';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { createLineSale } from '@/test/support/line-sale';
import { makeAccount, makeVerified, PASSWORD } from '@/test/support/make-account';
import { makeMember } from '@/test/support/make-member';
import { makePasskey } from '@/test/support/make-passkey';
import { makeDraft, makeUser } from '@/test/support/make-sale';

import { deleteAccount } from './delete-account';

const WAITING = { timeout: 60_000 };
const caller = { address: null, headers: new Headers() };
const mails = keepMailsApart();

beforeAll(() => watchEndedSessions());
beforeEach(() => cacheRedis().flushdb());
afterAll(async () => {
  stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});

const ask = (session: string | null, body: unknown = { currentPassword: PASSWORD }) =>
  callWith(session, POST as never, { method: 'POST', body });
const codeOf = async (answer: Response) =>
  answer.ok ? 'deleted' : ((await answer.json()) as { code: string }).code;
/** Deletes an account in a session of its own. @returns `deleted`, or the code of the refusal */
const remove = async (userId: string, password = PASSWORD) =>
  codeOf(await ask(await sessionOf(userId), { currentPassword: password }));
const lookAhead = async (userId: string) => (await callWith(await sessionOf(userId), GET as never)).json();
const rowOf = (id: string) => db().user.findUniqueOrThrow({ where: { id } });
const isGone = async (id: string) => (await rowOf(id)).deletedAt !== null;

/** Waits until a statement waits for a lock that the test holds. */
const somebodyWaits = () =>
  expect
    .poll(
      () => db().$queryRaw`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      WAITING,
    )
    .not.toEqual([]);

async function expectSound({ saleId }: { saleId: string }): Promise<void> {
  await drainOutbox(saleId);
  const verification = await verifySale(saleId, { settleMs: 0 });
  expect(verification?.invariants.filter(({ ok }) => !ok)).toEqual([]);
}
const expectChain = async () => expect(await verifyChain()).toMatchObject({ ok: true });

describe('a deleted account', () => {
  it('[N2 N3] keeps nothing that tells who it was; its sessions end within a second; its address is free', async () => {
    const { id, email } = await makeAccount();
    const elsewhere = await sessionOf(id);
    const [{ id: sessionId } = { id: '' }] = await db().session.findMany({ where: { userId: id } });
    await db().$executeRaw`
      INSERT INTO notifications (user_id, kind, order_id, message_id) VALUES (${id}, 'paid', 1, ${id})`;
    await db().session.updateMany({ where: { userId: id }, data: { browser: 'Firefox, Linux' } });
    const answer = await ask(await sessionOf(id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
    await expect.poll(() => isSessionEnded(sessionId), WAITING).toBe(true);
    expect(await userOfSession(elsewhere)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect(await rowOf(id)).toMatchObject({
      email: deletedEmail(id),
      name: 'deleted',
      passwordHash: '!',
      emailVerifiedAt: null,
      bannedAt: expect.any(Date),
      deletedAt: expect.any(Date),
    });
    expect(await db().notification.count({ where: { userId: id } })).toBe(0);
    expect(await db().session.count({ where: { userId: id, browser: { not: '' } } })).toBe(0);
    expect(await mails.only(`accountDeleted-${id}`)).toContain(`To: ${email}`);
    expect(await db().auditEntry.findMany({ where: { subjectId: id, action: 'user.delete' } })).toMatchObject(
      [{ actorId: id, actorRole: 'shopper', before: null, after: null }],
    );
    await expectChain();
    const again = await registerAccount(
      { email, password: 'a start anew', name: 'Ann', locale: 'en' },
      caller,
    );
    expect(again).toMatchObject({ status: 'registered' });
    expect(again).not.toMatchObject({ userId: id });
  });

  it('[N2 N3] comes back by no way: no admin, no link in a mail, no address of its kind', async () => {
    const user = await makeAccount();
    const cookie = await sessionOf(user.id);
    const newEmail = `${user.id}@new.example.com`;
    expect(
      (
        await callWith(cookie, postChangeEmail as never, {
          method: 'POST',
          body: { currentPassword: PASSWORD, newEmail },
        })
      ).status,
    ).toBe(202);
    expect(await remove(user.id)).toBe('deleted');
    expect(await db().emailChange.count({ where: { userId: user.id } })).toBe(0);
    const admin: Actor = { ...(await makeUser('admin')), role: 'admin' };
    expect(await unbanUser(admin, user.id)).toEqual({ status: 'not_found' });
    expect(await banUser(admin, user.id, 'why not')).toEqual({ status: 'not_found' });
    const found = await listUsers({ limit: 5 }, { search: user.id, state: 'all' });
    expect(found.users).toMatchObject([{ deletedAt: expect.any(Number), role: 'shopper' }]);
    expect((await listUsers({ limit: 5 }, { search: user.id, state: 'banned' })).users).toEqual([]);
    const body = { token: signReset(user), newPassword: 'another long one' };
    expect((await callWith(null, postReset as never, { method: 'POST', body })).status).toBe(410);
    const squatter = { email: deletedEmail('user_someone'), password: 'long enough', name: 'Thief' };
    expect(registration.safeParse(squatter).success).toBe(false);
  });

  it('[N2 I9] stays in the books under its id: verify, decision log and audit chain are green, and no notice follows', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0 });
    const { orderNo } = await buy(sale, id);
    await drainOutbox(sale.saleId);
    await payFor(orderNo);
    expect(await remove(id)).toBe('deleted');
    for (const consumer of createConsumers().consumers)
      while ((await consumeMessages(consumer)).status === 'consumed');
    expect(await db().notification.count({ where: { userId: id } })).toBe(0);
    expect(await mails.named('order_paid')).toEqual([]);
    expect(await db().order.findFirst({ where: { id: BigInt(orderNo) } })).toMatchObject({
      userId: id,
      status: 'paid',
    });
    expect(await db().pointsEntry.count({ where: { userId: id } })).toBe(1);
    await expectSound(sale);
    await publishLogs();
    expect(await verifyLog(sale.saleId)).toMatchObject({ ok: true });
    await expectChain();
  });
});

describe('deleting is refused', () => {
  it('[N2 N4] for a wrong password, which counts; in another’s session; without one; for nonsense', async () => {
    const { id, email } = await makeAccount();
    const session = await sessionOf(id);
    expect(await codeOf(await ask(null))).toBe('UNAUTHENTICATED');
    const elsewhere = { method: 'POST', body: { currentPassword: PASSWORD }, isSameOrigin: false };
    expect((await callWith(session, POST as never, elsewhere)).status).toBe(403);
    for (const body of [
      {},
      { currentPassword: 7 },
      { currentPassword: 'x'.repeat(201) },
      [],
      'null',
      { currentPassword: PASSWORD, userId: 'user_other' },
    ])
      expect(await codeOf(await ask(session, body))).toBe('VALIDATION');
    const huge = { currentPassword: 'x'.repeat(100_000) };
    expect(await codeOf(await ask(session, huge))).toBe('TOO_LARGE');
    const codes: string[] = [];
    // On a busy machine the first waits are over before the next try.
    while (codes.length < 30 && codes.at(-1) !== 'RATE_LIMITED')
      codes.push(await codeOf(await ask(session, { currentPassword: '' })));
    expect(codes[0]).toBe('PASSWORD_WRONG');
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(await db().auditEntry.count({ where: { subjectId: id, action: 'user.delete' } })).toBe(0);
    expect(await rowOf(id)).toMatchObject({ deletedAt: null, email });
  });

  it('[N2 N5] without a code where signing in takes one, or for a wrong one; afterwards no secret is left', async () => {
    const { id } = await makeVerified();
    const session = await sessionOf(id);
    const user = (await userOfSession(session)) as CurrentUser;
    expect(await lookAhead(id)).toMatchObject({ needsCode: false });
    const begun = await beginTotp(user, { currentPassword: PASSWORD }, caller);
    const secret = begun.status === 'begun' ? begun.secret : '';
    const used = totpCode(secret);
    expect(await confirmTotp(user, used)).toMatchObject({ status: 'confirmed' });
    await makePasskey(id);
    expect(await lookAhead(id)).toMatchObject({ needsCode: true });
    const removeWith = async (code?: string) =>
      codeOf(await ask(session, { currentPassword: PASSWORD, ...(code === undefined ? {} : { code }) }));
    expect(await removeWith()).toBe('FACTOR_CODE_WRONG');
    expect(await removeWith('no code')).toBe('FACTOR_CODE_WRONG');
    // It was used to set the app up.
    expect(await removeWith(used)).toBe('FACTOR_CODE_WRONG');
    expect(await isGone(id)).toBe(false);
    expect(await removeWith(totpCode(secret, Date.now() + 30_000))).toBe('deleted');
    expect(await rowOf(id)).toMatchObject({ secondFactorAt: null });
    expect(await db().totpFactor.count({ where: { userId: id } })).toBe(0);
    expect(await db().passkey.count({ where: { userId: id } })).toBe(0);
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
  });

  it('[N2 C6] while an order waits for payment, and says so before', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0 });
    const { orderNo } = await buy(sale, id);
    await drainOutbox(sale.saleId);
    expect(await lookAhead(id)).toMatchObject({
      unpaidOrders: [{ orderNo, title: 'Lamp sale', payBy: expect.any(Number) }],
    });
    expect(await remove(id)).toBe('ACCOUNT_HAS_UNPAID_ORDERS');
    expect(await isGone(id)).toBe(false);
    // A refused deletion spends no code: it asks for none.
    await db().user.update({ where: { id }, data: { secondFactorAt: new Date() } });
    expect(await remove(id)).toBe('ACCOUNT_HAS_UNPAID_ORDERS');
  });

  it('[N2 L4] for the last owner of a shop with other members, whatever they sell; another owner goes on', async () => {
    const { sale, merchant } = await makeDraft();
    const { passwordHash } = await makeAccount();
    const { userId } = merchant;
    await db().user.update({ where: { id: userId }, data: { passwordHash } });
    const member = await makeMember(userId, 'editor');
    expect(await lookAhead(userId)).toMatchObject({ ledShops: [{ shopId: userId }], liveSales: [] });
    expect(await remove(userId)).toBe('LAST_OWNER');
    await db().shopMember.updateMany({ where: { userId: member.userId }, data: { role: 'owner' } });
    await publishSale(merchant, sale.saleId);
    expect(await lookAhead(userId)).toMatchObject({ ledShops: [], liveSales: [] });
    expect(await remove(userId)).toBe('deleted');
    expect(await db().shopMember.count({ where: { userId } })).toBe(0);
    const { sale: other } = await makeDraft();
    const draft = { merchantId: userId, status: 'draft' as const };
    await db().sale.update({ where: { id: other.saleId }, data: draft });
    expect(await publishSale(member, other.saleId)).toMatchObject({ status: 'changed' });
  });

  it('[N2 L4] not for shops in which the owner can do nothing any more: an admin has made a shopper of them', async () => {
    const { sale, merchant } = await makeDraft();
    const { userId } = merchant;
    const { passwordHash } = await makeAccount();
    await db().user.update({ where: { id: userId }, data: { passwordHash } });
    await publishSale(merchant, sale.saleId);
    await makeMember(userId, 'editor');
    const admin: Actor = { ...(await makeUser('admin')), role: 'admin' };
    const edit = (role: Role, to: Role) => editUser(admin, userId, { before: { role, level: 0 }, role: to });
    // Admins see to every shop, those they lead too.
    expect(await edit('merchant', 'admin')).toMatchObject({ status: 'changed' });
    expect(await lookAhead(userId)).toMatchObject({ ledShops: [{}], liveSales: [{}] });
    expect(await remove(userId)).toBe('ACCOUNT_HAS_LIVE_SALES');
    expect(await edit('admin', 'shopper')).toMatchObject({ status: 'changed' });
    expect(await lookAhead(userId)).toMatchObject({ ledShops: [], liveSales: [] });
    expect(await remove(userId)).toBe('deleted');
  });

  it('[N2 F1] for a merchant with live sales, the last admin, a demo account', async () => {
    const { sale, merchant } = await makeDraft();
    const { passwordHash } = await makeAccount();
    await db().user.update({ where: { id: merchant.userId }, data: { passwordHash } });
    await publishSale(merchant, sale.saleId);
    expect(await lookAhead(merchant.userId)).toMatchObject({
      liveSales: [{ saleId: sale.saleId, title: 'Lantern' }],
    });
    expect(await remove(merchant.userId)).toBe('ACCOUNT_HAS_LIVE_SALES');
    await db().sale.update({ where: { id: sale.saleId }, data: { status: 'closed', closedAt: new Date() } });
    expect(await remove(merchant.userId)).toBe('deleted');

    const admin = await makeAccount('admin');
    await db().user.updateMany({
      where: { role: 'admin', id: { not: admin.id } },
      data: { bannedAt: new Date() },
    });
    expect(await lookAhead(admin.id)).toMatchObject({ isLastAdmin: true });
    expect(await remove(admin.id)).toBe('LAST_ADMIN');
    await db().user.update({ where: { id: admin.id }, data: { isDemo: true } });
    expect(await lookAhead(admin.id)).toMatchObject({ isDemo: true });
    expect(await remove(admin.id)).toBe('DEMO_ACCOUNT');
    expect(await isGone(admin.id)).toBe(false);
  });

  it('[N2 N7] outside the demo for the last admin whose password is not public', async () => {
    const [admin, demo] = [await makeAccount('admin'), await makeAccount('admin')];
    const others = { role: 'admin', id: { notIn: [admin.id, demo.id] } };
    await db().user.updateMany({ where: others, data: { bannedAt: new Date() } });
    await db().user.update({ where: { id: demo.id }, data: { isDemo: true } });
    expect(await lookAhead(admin.id)).toMatchObject({ isLastAdmin: false });
    const settings = env();
    settings.isDemo = false;
    try {
      expect(await lookAhead(admin.id)).toMatchObject({ isLastAdmin: true });
      expect(await remove(admin.id)).toBe('LAST_ADMIN');
    } finally {
      settings.isDemo = true;
    }
    expect(await remove(admin.id)).toBe('deleted');
  });
});

describe('what is open', () => {
  it('[N2 M3] in a waitlist is said before, and left: the next one gets the unit', async () => {
    const sale = await soldOut();
    const [first = '', , third = ''] = sale.userIds;
    const { id } = await makeAccount();
    const { orderNo } = await buy(sale, first);
    await join(sale, id);
    await join(sale, third);
    expect(await lookAhead(id)).toEqual({
      unpaidOrders: [],
      liveSales: [],
      ledShops: [],
      places: [{ saleId: sale.saleId, slug: expect.any(String), title: 'Lamp sale', kind: 'waitlist' }],
      isLastAdmin: false,
      needsCode: false,
      isDemo: false,
    });
    expect(await remove(id)).toBe('deleted');
    await drainOutbox(sale.saleId);
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect(await readPlace(sale.saleId, third)).toMatchObject({ state: 'given' });
    await expectSound(sale);
  });

  it('[N2 M1] in a waiting room is left, and its device and network are forgotten', async () => {
    const sale = await createLineSale({ users: 1, data: { placesPerNetwork: 3 } });
    const { id } = await makeAccount();
    for (const userId of [id, ...sale.userIds])
      await joinSaleLine(
        sale.saleId,
        { userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 },
        { address: '203.0.113.7' },
      );
    expect(await lookAhead(id)).toMatchObject({ places: [{ kind: 'waiting_room' }] });
    expect(await remove(id)).toBe('deleted');
    const [mine, other] = await db().lineEntry.findMany({
      where: { saleId: sale.saleId },
      orderBy: { number: 'asc' },
    });
    expect(mine).toMatchObject({ leftAt: expect.any(Date), network: null });
    expect(other).toMatchObject({ leftAt: null, network: expect.any(String) });
    expect(await verifyLines(sale.saleId)).toMatchObject({ ok: true });
  });

  it('[N2 M4] in a draw is left: somebody else gets the unit, and the draw can still be recomputed', async () => {
    const sale = await createDrawFixture({ users: 2, total: 1 });
    const [leaves = '', stays = ''] = sale.userIds;
    await db().user.update({
      where: { id: leaves },
      data: { passwordHash: (await makeAccount()).passwordHash },
    });
    expect(await lookAhead(leaves)).toMatchObject({ places: [{ kind: 'draw' }] });
    expect(await remove(leaves)).toBe('deleted');
    expect(await runDraws()).toBe(1);
    expect(await readBuyer(sale.saleId, leaves)).toEqual([]);
    expect(await readBuyer(sale.saleId, stays)).toMatchObject([{ state: 'held' }]);
    expect(await verifyLines(sale.saleId)).toMatchObject({ ok: true });
    await expectSound(sale);
  });

  it('[N2 B1 C6] as an accepted purchase that is not written yet is written, runs out unpaid, and its unit comes back', async () => {
    const { id } = await makeAccount();
    const sale = await createSaleFixture({ users: 0, total: 1 });
    const { orderNo } = await buy(sale, id);
    expect(await remove(id)).toBe('deleted');
    await expectSound(sale);
    await makeOverdue([orderNo]);
    await releaseUnpaid([orderNo]);
    expect((await readStates(sale.saleId)).get(orderNo)).toMatchObject({
      status: 'cancelled',
      endReason: 'expired',
    });
    await buy(sale, (await makeAccount()).id);
    await expectSound(sale);
  });

  it('[N2 I10] as late money goes back; money that was kept before stays kept', async () => {
    for (const isFirst of [true, false]) {
      const { id } = await makeAccount();
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const { orderNo } = await buy(sale, id);
      await drainOutbox(sale.saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      if (isFirst) expect(await remove(id)).toBe('deleted');
      expect(await payFor(orderNo)).toBe('late');
      expect(await returnMoney([{ paymentId: `pay_${orderNo}` }])).toBe(isFirst ? 1 : 0);
      if (!isFirst) expect(await remove(id)).toBe('deleted');
      expect(await standOf(orderNo)).toBe(
        isFirst ? 'cancelled, payment refunded' : 'paid, payment succeeded',
      );
      await expectSound(sale);
    }
  });
});

describe('deleting in the middle of something', () => {
  const ROUNDS = 4;

  it('[N2] twice at once: once', async () => {
    const { id } = await makeAccount();
    const sessions = await Promise.all([sessionOf(id), sessionOf(id), sessionOf(id)]);
    const codes = await Promise.all(sessions.map(async (session) => codeOf(await ask(session))));
    expect(codes.sort()).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'deleted']);
    expect(await db().auditEntry.count({ where: { subjectId: id, action: 'user.delete' } })).toBe(1);
    await expectChain();
  });

  it('[N2] from a tab that has not heard of it: the tab is signed out, not asked for another password', async () => {
    const { id } = await makeAccount();
    const user = (await userOfSession(await sessionOf(id))) as CurrentUser;
    expect(await remove(id)).toBe('deleted');
    const proof = { currentPassword: PASSWORD };
    expect(await deleteAccount(user, proof, caller)).toEqual({ status: 'signed_out' });
    expect(await changePassword(user, { ...proof, newPassword: `${PASSWORD} 2` }, caller)).toEqual({
      status: 'signed_out',
    });
  });

  it('[N2 N3 B1] the purchase: it is accepted and runs out unpaid, or refused; a later one is refused', async () => {
    const sale = await createSaleFixture({ users: 0, total: 20, limit: 2 });
    const buyers = await Promise.all(Array.from({ length: 6 }, () => makeAccount()));
    const attempts = await Promise.all(
      buyers.map(async ({ id: userId }) => {
        const session = await sessionOf(userId);
        const sid = (await userOfSession(session))?.session.id ?? '';
        const press = () => {
          const claims = { userId, saleId: sale.saleId, level: 0, device: '', session: sid };
          const entryToken = signEntryToken({
            ...claims,
            jti: newId('jti'),
            expiresAt: Date.now() + 600_000,
          });
          return purchase({ saleId: sale.saleId, gate: sale.gate, entryToken, body: '' });
        };
        return { userId, session, sid, press };
      }),
    );
    const results = await Promise.all(
      attempts.map(async (attempt) => {
        const [code, { status }] = await Promise.all([ask(attempt.session).then(codeOf), attempt.press()]);
        return { ...attempt, code, status };
      }),
    );
    await expectSound(sale);
    for (const { userId, sid, press, code, status } of results) {
      expect(code).toBe('deleted');
      expect([202, 401]).toContain(status);
      expect(await db().order.count({ where: { userId } })).toBe(status === 202 ? 1 : 0);
      await expect.poll(() => isSessionEnded(sid), WAITING).toBe(true);
      expect((await press()).status).toBe(401);
    }
    const orderNos = [...(await readStates(sale.saleId)).keys()];
    await makeOverdue(orderNos);
    await releaseUnpaid(orderNos);
    expect(await readStock(sale.saleId)).toMatchObject({ available: 20, held: 0 });
    await expectSound(sale);
  });

  it('[N2 I1] the payment: the order is paid once, and the account is deleted or still there', async () => {
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const { id } = await makeAccount();
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const { orderNo } = await buy(sale, id);
      await drainOutbox(sale.saleId);
      const [code] = await Promise.all([remove(id), payFor(orderNo)]);
      expect(['deleted', 'ACCOUNT_HAS_UNPAID_ORDERS']).toContain(code);
      expect(await isGone(id)).toBe(code === 'deleted');
      expect(await standOf(orderNo)).toBe('paid, payment succeeded');
      await expectSound(sale);
    }
  });

  it('[N2 I10] late money: it is kept and stays, or goes back', async () => {
    const ends = new Set<string>();
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const { id } = await makeAccount();
      const sale = await createSaleFixture({ users: 0, total: 1 });
      const { orderNo } = await buy(sale, id);
      await drainOutbox(sale.saleId);
      await makeOverdue([orderNo]);
      await releaseUnpaid([orderNo]);
      await payFor(orderNo);
      const [code] = await Promise.all([remove(id), returnMoney([{ paymentId: `pay_${orderNo}` }])]);
      expect(code).toBe('deleted');
      ends.add(await standOf(orderNo));
      await expectSound(sale);
    }
    for (const end of ends) expect(['paid, payment succeeded', 'cancelled, payment refunded']).toContain(end);
  });

  it('[N2 M4] the draw: nobody gets two units, and the unit of the one who left goes on', async () => {
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const sale = await createDrawFixture({ users: 2, total: 1 });
      const [leaves = '', stays = ''] = sale.userIds;
      const { passwordHash } = await makeAccount();
      await db().user.update({ where: { id: leaves }, data: { passwordHash } });
      const [code, drawn] = await Promise.all([remove(leaves), runDraws()]);
      expect(drawn).toBe(1);
      expect(code).toBe('deleted');
      await drainOutbox(sale.saleId);
      const [won] = await readBuyer(sale.saleId, leaves);
      if (won?.state === 'held') {
        // The unit came at that very moment: it runs out unpaid.
        await makeOverdue([won.orderNo]);
        await releaseUnpaid([won.orderNo]);
      }
      await serve(sale);
      expect(await readBuyer(sale.saleId, stays)).toMatchObject([{ state: 'held' }]);
      expect(await verifyLines(sale.saleId)).toMatchObject({ ok: true });
      await expectSound(sale);
    }
  });

  it('[N1 N2] a change of the role by an admin: the one or the other, and both in the log', async () => {
    const admin: Actor = { ...(await makeUser('admin')), role: 'admin' };
    for (let nth = 0; nth < ROUNDS; nth += 1) {
      const { id } = await makeAccount();
      const edit = { role: 'merchant', before: { role: 'shopper', level: 0 } } as const;
      const session = await sessionOf(id);
      const [code, { status }] = await Promise.all([ask(session).then(codeOf), editUser(admin, id, edit)]);
      expect([
        ['deleted', 'not_found'],
        ['UNAUTHENTICATED', 'changed'],
      ]).toContainEqual([code, status]);
      expect(await isGone(id)).toBe(code === 'deleted');
    }
    await expectChain();
  });

  it('[N1 N2] of the last two admins at once: one stays', async () => {
    await db().user.updateMany({ where: { role: 'admin' }, data: { bannedAt: new Date() } });
    const admins = [await makeAccount('admin'), await makeAccount('admin')];
    const codes = await Promise.all(admins.map(({ id }) => remove(id)));
    expect(codes.sort()).toEqual(['LAST_ADMIN', 'deleted']);
  });

  it('[N2 F1] the publishing of a sale: the merchant stays', async () => {
    const { sale, merchant } = await makeDraft();
    const { passwordHash } = await makeAccount();
    await db().user.update({ where: { id: merchant.userId }, data: { passwordHash } });
    let code: Promise<string> | undefined;
    await transaction(async (tx) => {
      const data = { status: 'published', publishedAt: new Date(), epoch: 1 };
      await tx.sale.update({ where: { id: sale.saleId }, data });
      code = remove(merchant.userId);
      await somebodyWaits();
    }, 120_000);
    expect(await code).toBe('ACCOUNT_HAS_LIVE_SALES');
    expect(await isGone(merchant.userId)).toBe(false);
  });

  it('[N2 F1] the publishing, which comes a moment later: the sale stays a draft', async () => {
    const { sale, merchant } = await makeDraft();
    const { passwordHash } = await makeAccount();
    await db().user.update({ where: { id: merchant.userId }, data: { passwordHash } });
    expect(await remove(merchant.userId)).toBe('deleted');
    const operator: Actor = { ...(await makeUser('operator')), role: 'operator' };
    expect(await publishSale(operator, sale.saleId)).toEqual({ status: 'wrong_state', is: 'draft' });
    expect(await publishSale(merchant, sale.saleId)).toEqual({ status: 'not_found' });
  });

  it('[N2] the end of the session that asks: nothing is deleted', async () => {
    const { id } = await makeAccount();
    const session = await sessionOf(id);
    let answer: Promise<Response> | undefined;
    await transaction(async (tx) => {
      await lockAccount(tx, id);
      answer = ask(session);
      await somebodyWaits();
      await endSessions(tx, id);
    }, 120_000);
    expect(await codeOf((await answer) as Response)).toBe('UNAUTHENTICATED');
    expect(await isGone(id)).toBe(false);
  });
});

it('[N2] a place that could not be left while Redis is away leads to nothing', async () => {
  const sale = await soldOut();
  const [first = '', , third = ''] = sale.userIds;
  const { id } = await makeAccount();
  const { orderNo } = await buy(sale, first);
  await join(sale, id);
  await join(sale, third);
  const leaving = await import('@/lib/waitlist/records/leave-in-redis');
  const away = vi.spyOn(leaving, 'leaveInRedis').mockRejectedValue(new Error('away'));
  expect(await remove(id)).toBe('deleted');
  away.mockRestore();
  await drainOutbox(sale.saleId);
  await makeOverdue([orderNo]);
  await releaseUnpaid([orderNo]);
  expect(await readBuyer(sale.saleId, id)).toEqual([]);
  expect(await readPlace(sale.saleId, third)).toMatchObject({ state: 'given' });
});
