import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POST as confirm } from '@/app/api/account/confirm/route';
import { GET as listFactors } from '@/app/api/account/factors/route';
import { POST as invite } from '@/app/api/admin/invitations/route';
import { POST as refund } from '@/app/api/admin/orders/[orderNo]/refund/route';
import { GET as exportOrders } from '@/app/api/admin/orders/export/route';
import { userOfSession } from '@/lib/account/current-user';
import { totpCode } from '@/lib/account/factors/totp';
import type { CurrentUser } from '@/lib/account/types';
import { AREAS, idOf } from '@/lib/contract/areas';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { softPasskey } from '@/test/support/soft-passkey';
import { addPasskey } from './add-passkey';
import { askOwnPasskey } from './ask-passkey';
import { beginPasskey } from './begin-passkey';
import { beginTotp } from './begin-totp';
import { confirmAgain } from './confirm-again';
import { confirmTotp } from './confirm-totp';

const MINUTE_MS = 60_000;
const caller = { address: '198.51.100.7', headers: new Headers() };
const askAfter = (minutes: number) => Object.assign(env(), { confirmAgainMs: minutes * MINUTE_MS });

beforeEach(async () => {
  askAfter(15);
  await cacheRedis().flushdb();
});
afterEach(() => askAfter(0));
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const codeOf = async (asked: Promise<Response>) => {
  const answer = await asked;
  return answer.ok ? 'ok' : ((await answer.json()) as { code: string }).code;
};
/** Sends a body that is refused once it is read: the question comes before that. */
const refundWith = (session: string) => {
  const call = { method: 'POST', params: { orderNo: '1' }, body: { nonsense: 1 } };
  return codeOf(callWith(session, refund as never, call));
};
const confirmWith = (session: string, body: unknown) =>
  codeOf(callWith(session, confirm as never, { method: 'POST', body }));
const userOf = async (session: string) => (await userOfSession(session)) as CurrentUser;
const browserWith = (setCookie: string) => ({
  ...caller,
  headers: new Headers({ cookie: setCookie.split(';', 1)[0] as string }),
});

const waited = (userId: string, minutes: number) =>
  db().session.updateMany({
    where: { userId },
    data: { confirmedAt: new Date(Date.now() - minutes * MINUTE_MS) },
  });

/** Makes a session of an admin who showed who they are so long ago. */
async function staffAfter(minutes: number) {
  const { id } = await makeAccount('admin');
  const session = await sessionOf(id);
  await waited(id, minutes);
  return { id, session };
}

describe('what is dangerous', () => {
  it('[N5] is named: refunds, stock, accounts, members, exports, and the second yes to them', () => {
    const dangerous = AREAS.flatMap(({ operations }) => operations).filter(({ asksAgain }) => asksAgain);
    expect(dangerous.map(idOf).sort()).toEqual([
      'approveRequest',
      'banUser',
      'changeOrderPrice',
      'changeStock',
      'editMember',
      'editUser',
      'exportAudit',
      'exportBlocks',
      'exportOrders',
      'exportParcels',
      'inviteMember',
      'inviteStaff',
      'refundOrder',
      'refundOrderPart',
      'removeFactors',
      'removeMember',
      'revokeSessions',
      'unbanUser',
    ]);
  });

  it('[N5] takes staff who showed a moment ago who they are: by signing in, or asked again', async () => {
    const fresh = await staffAfter(14);
    expect(await refundWith(fresh.session)).toBe('VALIDATION');
    const { id, session } = await staffAfter(16);
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await codeOf(callWith(session, exportOrders as never))).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('ok');
    expect(await refundWith(session)).toBe('VALIDATION');
    expect(await codeOf(callWith(session, exportOrders as never))).toBe('ok');
    expect(await refundWith(await sessionOf(id))).toBe('VALIDATION');
  });

  it('[N5] stays closed after a wrong password and after no proof, and to other sessions of the account', async () => {
    const { id, session } = await staffAfter(16);
    const other = await sessionOf(id);
    await waited(id, 16);
    expect(await confirmWith(session, { currentPassword: 'a guess' })).toBe('PASSWORD_WRONG');
    expect(await confirmWith(session, { code: '123456' })).toBe('PASSWORD_WRONG');
    for (const body of [{}, { currentPassword: PASSWORD, code: '123456' }, { currentPassword: 7 }, null])
      expect(await confirmWith(session, body)).toBe('VALIDATION');
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('ok');
    expect(await refundWith(other)).toBe('CONFIRM_AGAIN');
    const body = { email: 'x@example.com', role: 'support' };
    expect(await codeOf(callWith(other, invite as never, { method: 'POST', body }))).toBe('CONFIRM_AGAIN');
  });

  it('[N5] wants the second factor of an account that has one: the right password alone shows nothing', async () => {
    const { session } = await staffAfter(16);
    const begun = await beginTotp(await userOf(session), { currentPassword: PASSWORD }, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    await confirmTotp(await userOf(session), totpCode(begun.secret));
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('FACTOR_CODE_WRONG');
    // The answer does not tell whether the password is right.
    expect(await confirmWith(session, { currentPassword: 'a guess' })).toBe('FACTOR_CODE_WRONG');
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { code: totpCode(begun.secret, Date.now() + 30_000) })).toBe('ok');
    expect(await refundWith(session)).toBe('VALIDATION');
  });

  it('[N5] takes a passkey in place of a code, once', async () => {
    const { session } = await staffAfter(16);
    const begun = await beginPasskey(await userOf(session), { currentPassword: PASSWORD }, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    const { publicUrl } = env();
    const authenticator = softPasskey({ origin: publicUrl, rpId: new URL(publicUrl).hostname });
    const passkey = authenticator.make(begun.wish);
    await addPasskey(await userOf(session), { name: 'x', passkey }, browserWith(begun.setCookie));
    const { question, setCookie } = await askOwnPasskey(await userOf(session));
    const answer = authenticator.answer(question);
    const confirmed = async () =>
      (await confirmAgain(await userOf(session), { passkey: answer }, browserWith(setCookie))).status;
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    const results = await Promise.all([confirmed(), confirmed()]);
    expect(results.sort()).toEqual(['confirmed', 'passkey_wrong']);
    expect(await refundWith(session)).toBe('VALIDATION');
  });

  it('[N5] asks nobody where that is switched off, and nobody who may not do it anyway', async () => {
    const shopper = await sessionOf((await makeAccount()).id);
    expect(await refundWith(shopper)).toBe('FORBIDDEN');
    const { session } = await staffAfter(1_000);
    const mustConfirm = async () =>
      ((await (await callWith(session, listFactors as never)).json()) as { mustConfirm: boolean })
        .mustConfirm;
    expect(await mustConfirm()).toBe(true);
    askAfter(0);
    expect(await mustConfirm()).toBe(false);
    expect(await refundWith(session)).toBe('VALIDATION');
  });

  it('[N5] ends with the session: one that has ended confirms nothing', async () => {
    const { id, session } = await staffAfter(16);
    const user = await userOf(session);
    await db().$executeRaw`
      UPDATE sessions SET ended_at = now(), change = nextval('sessions_change_seq') WHERE user_id = ${id}`;
    expect(await confirmAgain(user, { currentPassword: PASSWORD }, caller)).toEqual({ status: 'signed_out' });
  });
});
