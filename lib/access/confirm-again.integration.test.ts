import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POST as confirm } from '@/app/api/account/confirm/route';
import { POST as invite } from '@/app/api/admin/invitations/route';
import { POST as refund } from '@/app/api/admin/orders/[orderNo]/refund/route';
import { userOfSession } from '@/lib/account/current-user';
import { totpCode } from '@/lib/account/factors/totp';
import { relyingParty } from '@/lib/account/factors/verify-passkey';
import type { CurrentUser } from '@/lib/account/types';
import { AREAS } from '@/lib/contract/areas';
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
const askAfter = (minutes: number) => Object.assign(env(), { confirmAgainMs: minutes * MINUTE_MS });

beforeEach(async () => {
  askAfter(15);
  await cacheRedis().flushdb();
});
afterEach(() => askAfter(0));
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const codeOf = async (answer: Promise<Response>) => {
  const got = await answer;
  return got.ok ? 'ok' : ((await got.json()) as { code: string }).code;
};
/** Sends a body that is refused once it is read: before that nobody is asked who they are. */
const refundWith = (session: string) => {
  const call = { method: 'POST', params: { orderNo: '1' }, body: { nonsense: 1 } };
  return codeOf(callWith(session, refund as never, call));
};
const confirmWith = (session: string, body: unknown) =>
  codeOf(callWith(session, confirm as never, { method: 'POST', body }));

/** A session whose owner showed who they are so long ago. */
async function staffAfter(minutes: number) {
  const { id } = await makeAccount('admin');
  const session = await sessionOf(id);
  const confirmedAt = new Date(Date.now() - minutes * MINUTE_MS);
  await db().session.updateMany({ where: { userId: id }, data: { confirmedAt } });
  return { id, session };
}

const factorsOf = async (userId: string) => ({
  apps: await db().totpFactor.count({ where: { userId } }),
  passkeys: await db().passkey.count({ where: { userId } }),
});
const caller = { address: '198.51.100.7', headers: new Headers() };
const browserWith = (setCookie: string) => ({
  ...caller,
  headers: new Headers({ cookie: setCookie.split(';', 1)[0] as string }),
});

describe('what is dangerous', () => {
  it('[N5] is named: refunds, stock, accounts, invitations and webhooks, and the second yes to them', () => {
    const dangerous = AREAS.flatMap(({ operations }) => operations).filter(({ asksAgain }) => asksAgain);
    expect(dangerous.map(({ id }) => id).sort()).toEqual([
      'addWebhook',
      'approveRequest',
      'banUser',
      'changeStock',
      'editUser',
      'editWebhook',
      'inviteStaff',
      'refundOrder',
      'removeFactors',
      'removeWebhook',
      'revokeSessions',
      'rotateWebhookSecret',
      'unbanUser',
    ]);
  });

  it('[N5] is for who showed a moment ago who they are: by signing in, or asked again', async () => {
    const fresh = await staffAfter(14);
    expect(await refundWith(fresh.session)).toBe('VALIDATION');
    const { id, session } = await staffAfter(16);
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('ok');
    expect(await refundWith(session)).toBe('VALIDATION');
    expect(await refundWith(await sessionOf(id))).toBe('VALIDATION');
  });

  it('[N5] stays closed to a wrong password, to no proof, and to other sessions of the account', async () => {
    const { id, session } = await staffAfter(16);
    const other = await sessionOf(id);
    await db().session.updateMany({
      where: { userId: id },
      data: { confirmedAt: new Date(Date.now() - 16 * MINUTE_MS) },
    });
    expect(await confirmWith(session, { currentPassword: 'a guess' })).toBe('PASSWORD_WRONG');
    expect(await confirmWith(session, { code: '123456' })).toBe('FACTOR_CODE_WRONG');
    for (const body of [{}, { currentPassword: PASSWORD, code: '123456' }, { currentPassword: 7 }, null])
      expect(await confirmWith(session, body)).toBe('VALIDATION');
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('ok');
    expect(await refundWith(other)).toBe('CONFIRM_AGAIN');
    const body = { email: 'x@example.com', role: 'support' };
    expect(await codeOf(callWith(other, invite as never, { method: 'POST', body }))).toBe('CONFIRM_AGAIN');
  });

  it('[N5] wants the factor of an account that has one: the right password alone shows nothing', async () => {
    const { id, session } = await staffAfter(16);
    const user = (await userOfSession(session)) as CurrentUser;
    const begun = await beginTotp(user, PASSWORD, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    // The present one, so that the next one is good: codes count for a step longer, no machine is late for it.
    await confirmTotp(user, totpCode(begun.secret), caller);
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('FACTOR_NEEDED');
    // No answer tells who guesses whether the password is right.
    expect(await confirmWith(session, { currentPassword: 'a guess' })).toBe('FACTOR_NEEDED');
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmWith(session, { code: totpCode(begun.secret, Date.now() + 30_000) })).toBe('ok');
    expect(await refundWith(session)).toBe('VALIDATION');
    expect(await factorsOf(id)).toEqual({ apps: 1, passkeys: 0 });
  });

  it('[N5] takes a passkey in place of a code, once', async () => {
    const { id, session } = await staffAfter(16);
    const user = async () => (await userOfSession(session)) as CurrentUser;
    const begun = await beginPasskey(await user(), PASSWORD, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    const authenticator = softPasskey({ origin: env().publicUrl, rpId: relyingParty() });
    const passkey = authenticator.make(begun.wish);
    await addPasskey(await user(), { name: 'x', passkey }, browserWith(begun.setCookie));
    expect(await confirmWith(session, { currentPassword: PASSWORD })).toBe('FACTOR_NEEDED');
    const { question, setCookie } = await askOwnPasskey(await user());
    const confirmed = async () =>
      confirmAgain(await user(), { passkey: authenticator.answer(question) }, browserWith(setCookie));
    expect(await refundWith(session)).toBe('CONFIRM_AGAIN');
    expect(await confirmed()).toEqual({ status: 'confirmed' });
    expect(await confirmed()).toEqual({ status: 'factor_wrong' });
    expect(await refundWith(session)).toBe('VALIDATION');
    expect(await factorsOf(id)).toEqual({ apps: 0, passkeys: 1 });
  });

  it('[N5] is asked of nobody where that is switched off, and of nobody who may not do it anyway', async () => {
    const shopper = await sessionOf((await makeAccount()).id);
    expect(await refundWith(shopper)).toBe('FORBIDDEN');
    const { session } = await staffAfter(1_000);
    askAfter(0);
    expect(await refundWith(session)).toBe('VALIDATION');
  });
});
