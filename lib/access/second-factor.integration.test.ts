import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route';
import { userOfSession } from '@/lib/account/current-user';
import { hashRecoveryCode } from '@/lib/account/factors/recovery-codes';
import { resealSecrets } from '@/lib/account/factors/reseal-secrets';
import { openSecret } from '@/lib/account/factors/seal-secret';
import { totpCode } from '@/lib/account/factors/totp';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import { closeDb, db } from '@/lib/db/client';
import { rememberAccount } from '@/lib/device/known-accounts';
import { env } from '@/lib/env';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { lengthenWaits } from '@/test/support/lengthen-waits';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { beginTotp } from './begin-totp';
import { confirmTotp } from './confirm-totp';
import { finishSignIn } from './finish-sign-in';
import { removeTotp } from './remove-totp';
import { renewRecoveryCodes } from './renew-recovery-codes';
import { signIn } from './sign-in';
import { STEP_LIFETIME_MS, writeStep } from './step-cookie';

const STEP_MS = 30_000;
const caller = { address: '198.51.100.7', headers: new Headers() };

lengthenWaits();
beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function signedIn() {
  const { id, email } = await makeAccount();
  const [cookie, other] = [await sessionOf(id), await sessionOf(id)];
  return { id, email, cookie, other, user: (await userOfSession(cookie)) as CurrentUser };
}

/** The code of the step after this one: good for as long as a step at least, and not used yet. */
const nextCode = (secret: string) => totpCode(secret, Date.now() + STEP_MS);

/** An account with an app. Its present code has been used, so that the next one is good. */
async function withApp() {
  const account = await signedIn();
  const begun = await beginTotp(account.user, PASSWORD, caller);
  if (begun.status !== 'begun') throw new Error(begun.status);
  const { secret } = begun;
  const confirmed = await confirmTotp(account.user, totpCode(secret), caller);
  if (confirmed.status !== 'confirmed') throw new Error(confirmed.status);
  return { ...account, secret, recoveryCodes: confirmed.recoveryCodes };
}

const pairOf = (setCookie: string) => setCookie.split(';', 1)[0] as string;

/** What a browser sends that has given the password of an account. */
async function afterPassword(id: string, more = '') {
  const user = await db().user.findUniqueOrThrow({ where: { id } });
  return { address: '203.0.113.9', headers: new Headers({ cookie: `${pairOf(writeStep(user))}; ${more}` }) };
}

/** Another code than those of now. */
const wrongCode = (secret: string) => {
  const good = [-1, 0, 1, 2].map((step) => totpCode(secret, Date.now() + step * STEP_MS));
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !good.includes(code)) as string;
};

describe('an app for one-time codes', () => {
  it('[N5] counts from its first code on; other sessions end, this one goes on', async () => {
    const { id, email, cookie, other, user } = await signedIn();
    const begun = await beginTotp(user, PASSWORD, caller);
    if (begun.status !== 'begun') throw new Error(begun.status);
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('signed_in');
    expect(await confirmTotp(user, wrongCode(begun.secret), caller)).toEqual({ status: 'wrong' });
    const confirmed = await confirmTotp(user, totpCode(begun.secret), caller);
    expect(confirmed).toMatchObject({ status: 'confirmed' });
    expect(await userOfSession(cookie)).toMatchObject({ userId: id });
    expect(await userOfSession(other)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('second_step');
    expect(await beginTotp(user, PASSWORD, caller)).toEqual({ status: 'exists' });
    expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
      { action: 'user.add_factor', actorId: id },
    ]);
  });

  it('[N5] is not set up by who has a session alone, nor for a demo account', async () => {
    const { id, user } = await signedIn();
    expect(await beginTotp(user, 'a guess', caller)).toEqual({ status: 'wrong' });
    await db().user.update({ where: { id }, data: { isDemo: true } });
    expect(await beginTotp(user, PASSWORD, caller)).toEqual({ status: 'demo_account' });
  });

  it('[N5] is kept encrypted, for its account alone, and outlives the key that sealed it', async () => {
    const { id, secret } = await withApp();
    const row = await db().totpFactor.findUniqueOrThrow({ where: { userId: id } });
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(openSecret(id, row)).toBe(secret);
    expect(openSecret('user_other', row)).toBeNull();
    const settings = env();
    const before = settings.entrySecrets;
    const next = 'the next secret of the entry tokens, long enough';
    try {
      Object.assign(settings, { entrySecrets: [next, ...before] });
      expect(await resealSecrets()).toBeGreaterThan(0);
      Object.assign(settings, { entrySecrets: [next] });
      const resealed = await db().totpFactor.findUniqueOrThrow({ where: { userId: id } });
      expect(openSecret(id, resealed)).toBe(secret);
    } finally {
      Object.assign(settings, { entrySecrets: [...before, next] });
      await resealSecrets();
      Object.assign(settings, { entrySecrets: before });
    }
  });

  it('[N5] keeps recovery codes as hashes alone', async () => {
    const { id, recoveryCodes } = await withApp();
    const kept = await db().recoveryCode.findMany({ where: { userId: id } });
    const text = JSON.stringify(kept);
    for (const code of recoveryCodes) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(code.replaceAll('-', ''));
      expect(kept.map(({ codeHash }) => codeHash)).toContain(hashRecoveryCode(code));
    }
  });

  it('[N5] goes for password and code; then the password signs in alone again', async () => {
    const { id, email, user, secret } = await withApp();
    const code = nextCode(secret);
    const remove = (currentPassword: string, given: string) =>
      removeTotp(user, { currentPassword, code: given }, caller);
    expect(await remove('a guess', code)).toEqual({ status: 'wrong' });
    expect(await remove(PASSWORD, wrongCode(secret))).toEqual({ status: 'factor_wrong' });
    expect(await remove(PASSWORD, code)).toEqual({ status: 'removed' });
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('signed_in');
  });
});

describe('the second step', () => {
  it('[N5] begins a session for a code, once: the same code is refused, also at the same moment', async () => {
    const { id, secret } = await withApp();
    const code = nextCode(secret);
    const browser = await afterPassword(id);
    const results = await Promise.all([finishSignIn({ code }, browser), finishSignIn({ code }, browser)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['signed_in', 'wrong']);
    expect((await finishSignIn({ code }, browser)).status).toBe('wrong');
  });

  it('[N5] takes a recovery code, once, also of two at the same moment', async () => {
    const { id, recoveryCodes } = await withApp();
    const browser = await afterPassword(id);
    const [code = '', next = ''] = recoveryCodes;
    const results = await Promise.all([finishSignIn({ code }, browser), finishSignIn({ code }, browser)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['signed_in', 'wrong']);
    expect((await finishSignIn({ code: next.toUpperCase().replaceAll('-', ' ') }, browser)).status).toBe(
      'signed_in',
    );
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(8);
  });

  it('[N5] takes none of the old recovery codes once there are new ones', async () => {
    const { id, user, secret, recoveryCodes } = await withApp();
    const renewed = await renewRecoveryCodes(user, { code: nextCode(secret) }, caller);
    if (renewed.status !== 'renewed') throw new Error(renewed.status);
    const browser = await afterPassword(id);
    expect((await finishSignIn({ code: recoveryCodes[0] as string }, browser)).status).toBe('wrong');
    expect((await finishSignIn({ code: renewed.recoveryCodes[0] as string }, browser)).status).toBe(
      'signed_in',
    );
  });

  it('[N5] stands no guessing, from however many addresses; the owner’s own browser does not wait for it', async () => {
    const { id, email, secret } = await withApp();
    const browser = await afterPassword(id);
    const wrong = wrongCode(secret);
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        finishSignIn({ code: wrong }, { ...browser, address: `203.0.113.${at + 1}` }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 'wrong')).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 'limited')).toHaveLength(25);
    const known = await afterPassword(id, pairOf(rememberAccount(null, email)));
    expect((await finishSignIn({ code: nextCode(secret) }, known)).status).toBe('signed_in');
  });

  it('[N5] is not for who gave no password, gave it too long ago, or for another account', async () => {
    const { id, secret } = await withApp();
    const other = await withApp();
    const code = nextCode(secret);
    const row = await db().user.findUniqueOrThrow({ where: { id } });
    const from = (cookie: string) => finishSignIn({ code }, { ...caller, headers: new Headers({ cookie }) });
    const good = pairOf(writeStep(row));
    expect((await from('')).status).toBe('over');
    expect((await from(pairOf(writeStep(row, Date.now() - STEP_LIFETIME_MS)))).status).toBe('over');
    expect((await from(good.replace(id, other.id))).status).toBe('over');
    expect((await from(pairOf(writeStep({ ...row, passwordHash: 'another' })))).status).toBe('over');
    expect((await from(pairOf(writeStep({ ...row, sessionVersion: row.sessionVersion - 1 })))).status).toBe(
      'over',
    );
    expect((await finishSignIn({ code }, await afterPassword(other.id))).status).toBe('wrong');
    expect((await from(good)).status).toBe('signed_in');
  });

  it('[N5] can’t be skipped: the password alone brings a proof and no session, and the proof is none', async () => {
    const { email, secret } = await withApp();
    const post = (name: string, body: object, cookie = '') =>
      postAuth(
        new Request('http://shop.test/', {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
        }),
        { params: Promise.resolve({ nextauth: ['callback', name] }) } as never,
      );
    const first = await post('credentials', { email, password: PASSWORD });
    expect(first.status).toBe(401);
    expect(await first.json()).toMatchObject({ code: 'SECOND_FACTOR_NEEDED' });
    const [step = '', ...rest] = first.headers.getSetCookie();
    expect(rest).toEqual([]);
    expect(step).toMatch(/^seckill-step=.*HttpOnly/);
    expect(await userOfSession(pairOf(step).split('=')[1])).toBeNull();
    const wrong = await post('second-step', { code: wrongCode(secret) }, pairOf(step));
    expect(await wrong.json()).toMatchObject({ code: 'FACTOR_CODE_WRONG' });
    const second = await post('second-step', { code: nextCode(secret) }, pairOf(step));
    expect(second.status).toBe(200);
    const session = second.headers.getSetCookie().find((each) => each.startsWith(sessionCookieName()));
    expect(await userOfSession(pairOf(session ?? '').split('=')[1])).toMatchObject({ email });
  });
});
