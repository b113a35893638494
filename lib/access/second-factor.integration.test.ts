import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { POST as postTotp } from '@/app/api/account/factors/totp/route';
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route';
import { userOfSession } from '@/lib/account/current-user';
import { hashRecoveryCode } from '@/lib/account/factors/recovery-codes';
import { resealSecrets } from '@/lib/account/factors/reseal-secrets';
import { openSecret } from '@/lib/account/factors/seal-secret';
import { totpCode } from '@/lib/account/factors/totp';
import { signReset } from '@/lib/account/reset-token';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import { closeDb, db } from '@/lib/db/client';
import { rememberAccount } from '@/lib/device/known-accounts';
import { env } from '@/lib/env';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { takeEvents } from '@/lib/security/note-event';
import { hashSubject } from '@/lib/tries/hash-subject';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, makeVerified, PASSWORD } from '@/test/support/make-account';
import { beginTotp } from './begin-totp';
import { confirmTotp } from './confirm-totp';
import { finishSignIn } from './finish-sign-in';
import { removeFactor } from './remove-factor';
import { renewRecoveryCodes } from './renew-recovery-codes';
import { resetPassword } from './reset-password';
import { signIn } from './sign-in';
import { signOutEverywhere } from './sign-out-everywhere';
import { STEP_LIFETIME_MS, writeStep } from './step-cookie';

const STEP_MS = 30_000;
const APP = { kind: 'totp' } as const;
const HOUR_MS = 3_600_000;
const caller = { address: '198.51.100.7', headers: new Headers() };

const mails = keepMailsApart();
beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function signedIn(make = makeVerified) {
  const { id, email } = await make();
  const [cookie, other] = [await sessionOf(id), await sessionOf(id)];
  return { id, email, cookie, other, user: (await userOfSession(cookie)) as CurrentUser };
}

async function begin(user: CurrentUser): Promise<string> {
  const begun = await beginTotp(user, { currentPassword: PASSWORD }, caller);
  if (begun.status !== 'begun') throw new Error(begun.status);
  return begun.secret;
}

/** The code of the step after this one: good for as long as a step at least, and not used yet. */
const nextCode = (secret: string) => totpCode(secret, Date.now() + STEP_MS);

/** An account with an app. Its present code has been used, so that the next one is good. */
async function withApp() {
  const account = await signedIn();
  const secret = await begin(account.user);
  const confirmed = await confirmTotp(account.user, totpCode(secret));
  if (confirmed.status !== 'confirmed') throw new Error(confirmed.status);
  return { ...account, secret, recoveryCodes: confirmed.recoveryCodes };
}

const pairOf = (setCookie: string) => setCookie.split(';', 1)[0] as string;
const rowOf = (id: string) => db().user.findUniqueOrThrow({ where: { id } });
const withCookie = (cookie: string) => ({ address: '203.0.113.9', headers: new Headers({ cookie }) });

/** The request of a browser that has given the password of an account. */
const afterPassword = async (id: string, more = '') =>
  withCookie(`${pairOf(writeStep(await rowOf(id)))}; ${more}`);

const finish = async (code: string, browser: ReturnType<typeof withCookie>) =>
  (await finishSignIn({ code }, browser)).status;

/** Another code than those of now. */
const wrongCode = (secret: string) => {
  const good = [-1, 0, 1, 2].map((step) => totpCode(secret, Date.now() + step * STEP_MS));
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !good.includes(code)) as string;
};

const signsIn = async (email: string, password = PASSWORD) =>
  (await signIn({ email, password }, caller)).status;
const actionsOf = async (id: string) =>
  (await db().auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } })).map(
    ({ action }) => action,
  );

describe('an app for one-time codes', () => {
  it('[N5] counts from its first code on; other sessions end, this one goes on, and its owner is told', async () => {
    const { id, email, cookie, other, user } = await signedIn();
    const secret = await begin(user);
    expect(await signsIn(email)).toBe('signed_in');
    expect(await confirmTotp(user, wrongCode(secret))).toEqual({ status: 'wrong' });
    expect(await mails.named(`factorAdded-${id}`)).toEqual([]);
    const confirmed = await confirmTotp(user, totpCode(secret));
    expect(confirmed).toMatchObject({ status: 'confirmed' });
    expect(await userOfSession(cookie)).toMatchObject({ userId: id });
    expect(await userOfSession(other)).toBeNull();
    expect(await signsIn(email)).toBe('second_step');
    expect(await signsIn(email, 'a guess')).toBe('wrong');
    expect(await beginTotp(user, { currentPassword: PASSWORD }, caller)).toEqual({ status: 'exists' });
    expect(await actionsOf(id)).toEqual(['user.add_factor']);
    await mails.only(`factorAdded-${id}`);
  });

  it('[N5] is not set up by who has a session alone, nor for a demo account', async () => {
    const { id, user } = await signedIn();
    expect(await beginTotp(user, { currentPassword: 'a guess' }, caller)).toEqual({ status: 'wrong' });
    expect(await confirmTotp(user, '000000')).toEqual({ status: 'wrong' });
    await db().user.update({ where: { id }, data: { isDemo: true } });
    expect(await beginTotp(user, { currentPassword: PASSWORD }, caller)).toEqual({ status: 'demo_account' });
  });

  it('[N5 N6] is not set up for a shopper’s address that is not verified; staff, who were invited, set one up', async () => {
    const asked = { currentPassword: PASSWORD };
    const { id, user } = await signedIn(makeAccount);
    expect(await beginTotp(user, asked, caller)).toEqual({ status: 'unverified' });
    expect(await db().totpFactor.count({ where: { userId: id } })).toBe(0);
    const answer = await callWith(await sessionOf(id), postTotp, { method: 'POST', body: asked });
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'ADDRESS_UNVERIFIED']);
    const staff = await signedIn(() => makeAccount('support'));
    expect(await beginTotp(staff.user, asked, caller)).toMatchObject({ status: 'begun' });
  });

  it('[N5] is confirmed by the session that began it alone, within an hour, and not after that session ended', async () => {
    const { id, user, other } = await signedIn();
    const rival = (await userOfSession(other)) as CurrentUser;
    const secret = await begin(user);
    expect(await confirmTotp(rival, totpCode(secret))).toEqual({ status: 'wrong' });
    const begunAt = (ms: number) =>
      db().totpFactor.update({ where: { userId: id }, data: { createdAt: new Date(Date.now() - ms) } });
    await begunAt(HOUR_MS);
    expect(await confirmTotp(user, totpCode(secret))).toEqual({ status: 'wrong' });
    await begunAt(0);
    await signOutEverywhere(user);
    expect(await confirmTotp(user, totpCode(secret))).toEqual({ status: 'signed_out' });
    expect((await rowOf(id)).secondFactorAt).toBeNull();
  });

  it('[N5] is one, of two that are begun or confirmed at once', async () => {
    const { id, user } = await signedIn();
    const old = await begin(user);
    const secret = await begin(user);
    expect(await confirmTotp(user, totpCode(old))).toEqual({ status: 'wrong' });
    const results = await Promise.all([1, 2].map(() => confirmTotp(user, totpCode(secret))));
    expect(results.map(({ status }) => status).sort()).toEqual(['confirmed', 'wrong']);
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(10);
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
      expect(await finish(nextCode(secret), await afterPassword(id))).toBe('signed_in');
      expect(await resealSecrets()).toBeGreaterThan(0);
      expect(await resealSecrets()).toBe(0);
      Object.assign(settings, { entrySecrets: [next] });
      const resealed = await db().totpFactor.findUniqueOrThrow({ where: { userId: id } });
      expect(openSecret(id, resealed)).toBe(secret);
      Object.assign(settings, { entrySecrets: ['a key that has sealed nothing, and is long enough'] });
      expect(await resealSecrets()).toBe(0);
      expect(await finish(nextCode(secret), await afterPassword(id))).toBe('wrong');
    } finally {
      Object.assign(settings, { entrySecrets: [...before, next] });
      await resealSecrets();
      Object.assign(settings, { entrySecrets: before });
    }
  });

  it('[N5] is turned off by password and code together; then the password signs in alone again', async () => {
    const { id, email, user, secret, recoveryCodes } = await withApp();
    const elsewhere = await sessionOf(id);
    const code = nextCode(secret);
    const remove = async (currentPassword: string, given: string) =>
      (await removeFactor(user, APP, { currentPassword, code: given }, caller)).status;
    expect(await remove('a guess', code)).toBe('wrong');
    expect(await remove(PASSWORD, wrongCode(secret))).toBe('code_wrong');
    expect(await remove(PASSWORD, '')).toBe('code_wrong');
    expect(await signsIn(email)).toBe('second_step');
    expect(await remove(PASSWORD, code)).toBe('removed');
    expect(await userOfSession(elsewhere)).toBeNull();
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(0);
    expect(await signsIn(email)).toBe('signed_in');
    expect(await remove(PASSWORD, recoveryCodes[0] as string)).toBe('not_found');
    expect(await actionsOf(id)).toEqual(['user.add_factor', 'user.remove_factor']);
    await mails.only(`factorRemoved-${id}`);
  });

  it('[N5] is turned off by a recovery code, and set up again', async () => {
    const { email, user, recoveryCodes } = await withApp();
    const given = { currentPassword: PASSWORD, code: recoveryCodes[3] as string };
    expect((await removeFactor(user, APP, given, caller)).status).toBe('removed');
    const secret = await begin(user);
    expect((await confirmTotp(user, totpCode(secret))).status).toBe('confirmed');
    expect(await signsIn(email)).toBe('second_step');
  });

  it('[N5] stays when the password is replaced by a mail', async () => {
    const { id, email, secret } = await withApp();
    const token = signReset(await rowOf(id));
    const newPassword = 'mine once again';
    expect((await resetPassword({ token, newPassword }, caller)).status).toBe('reset');
    expect(await signsIn(email, newPassword)).toBe('second_step');
    expect(await finish(nextCode(secret), await afterPassword(id))).toBe('signed_in');
  });
});

describe('recovery codes', () => {
  it('[N5] are kept as hashes alone', async () => {
    const { id, recoveryCodes } = await withApp();
    expect(new Set(recoveryCodes).size).toBe(10);
    const kept = await db().recoveryCode.findMany({ where: { userId: id } });
    const text = JSON.stringify(kept);
    for (const code of recoveryCodes) {
      const plain = code.replaceAll('-', '');
      expect(text).not.toContain(plain);
      expect(kept.map(({ codeHash }) => codeHash)).toContain(hashRecoveryCode(plain));
    }
  });

  it('[N5] sign in once each, also of two at the same moment, and their owner is told', async () => {
    const { id, recoveryCodes } = await withApp();
    const browser = await afterPassword(id);
    const [code = '', next = ''] = recoveryCodes;
    const results = await Promise.all([finish(code, browser), finish(code, browser)]);
    expect(results.sort()).toEqual(['signed_in', 'wrong']);
    await mails.only(`recoveryCodeUsed-${id}`);
    const typed = ` ${next.toUpperCase().replaceAll('-', ' – ')}\u200e`;
    expect(await finish(typed, browser)).toBe('signed_in');
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(8);
  });

  it('[N5] are renewed by a code; none of the old ones is good then', async () => {
    const { id, user, secret, recoveryCodes } = await withApp();
    expect((await renewRecoveryCodes(user, { code: wrongCode(secret) }, caller)).status).toBe('code_wrong');
    const renewed = await renewRecoveryCodes(user, { code: nextCode(secret) }, caller);
    if (renewed.status !== 'renewed') throw new Error(renewed.status);
    const browser = await afterPassword(id);
    expect(await finish(recoveryCodes[0] as string, browser)).toBe('wrong');
    expect(await finish(renewed.recoveryCodes[0] as string, browser)).toBe('signed_in');
    expect(await actionsOf(id)).toEqual(['user.add_factor', 'user.renew_recovery_codes']);
    await mails.only(`recoveryCodesRenewed-${id}`);
  });

  it('[N5] are made for nobody without an app', async () => {
    const { user } = await signedIn();
    expect((await renewRecoveryCodes(user, { code: '000000' }, caller)).status).toBe('code_wrong');
  });
});

describe('the second step', () => {
  it('[N5] begins a session for a code, once: the same code is refused, also at the same moment', async () => {
    const { id, secret } = await withApp();
    takeEvents(0, true);
    const code = nextCode(secret);
    const browser = await afterPassword(id);
    const results = await Promise.all([finish(code, browser), finish(code, browser)]);
    expect(results.sort()).toEqual(['signed_in', 'wrong']);
    expect(await finish(code, browser)).toBe('wrong');
    const events = takeEvents(0, true).sort((a, b) => b.action.localeCompare(a.action));
    expect(events).toMatchObject([
      { action: 'session.start', subject: { id }, facts: { factor: 'totp' } },
      { action: 'factor.refuse', subject: { id }, facts: { address: browser.address }, count: 2 },
    ]);
  });

  it('[N5] takes no code from before one that was used', async () => {
    const { id, secret } = await withApp();
    const browser = await afterPassword(id);
    const now = totpCode(secret);
    await db().totpFactor.update({ where: { userId: id }, data: { lastStep: 0 } });
    expect(await finish(nextCode(secret), browser)).toBe('signed_in');
    expect(await finish(now, browser)).toBe('wrong');
  });

  it.each([
    ['full-width', '０'],
    ['Arabic', '٠'],
    ['Persian', '۰'],
    ['Devanagari', '०'],
  ])('[N5 I3] takes a code in %s digits', async (_, zero) => {
    const { id, secret } = await withApp();
    const digitOf = (digit: string) => String.fromCodePoint((zero.codePointAt(0) as number) + Number(digit));
    const code = [...nextCode(secret)].map(digitOf).join('');
    expect(await finish(`\u200f${code.slice(0, 3)} ${code.slice(3)}`, await afterPassword(id))).toBe(
      'signed_in',
    );
  });

  it('[N5] refuses what is no code, whatever it is', async () => {
    const { id } = await withApp();
    for (const code of [
      '',
      ' ',
      '-',
      '12345',
      '1234567',
      '12345a',
      'x'.repeat(15_000),
      '\u0000',
      '\ud800',
      '１２',
    ])
      expect(await finish(code, await afterPassword(id)), code.slice(0, 9)).not.toBe('signed_in');
  });

  it('[N5] refuses codes and recovery codes of another account', async () => {
    const [one, other] = [await withApp(), await withApp()];
    const browser = await afterPassword(one.id);
    expect(await finish(nextCode(other.secret), browser)).toBe('wrong');
    expect(await finish(other.recoveryCodes[0] as string, browser)).toBe('wrong');
    expect(await finish(other.recoveryCodes[0] as string, await afterPassword(other.id))).toBe('signed_in');
  });

  it('[N4 N5] stands no guessing, from however many addresses; the owner’s own browser does not wait, and gets a mail', async () => {
    const { id, email, secret } = await withApp();
    const browser = await afterPassword(id, pairOf(rememberAccount(null, [email])));
    const guess = (at: number) => finish(wrongCode(secret), { ...browser, address: `203.0.113.${at + 1}` });
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, at) => guess(at)));
    const tried = guesses.filter((status) => status === 'wrong').length;
    expect(guesses.filter((status) => status === 'limited')).toHaveLength(30 - tried);
    // Where a machine stands still the first waits may pass meanwhile; each is twice as long as the last.
    expect(tried).toBeGreaterThanOrEqual(5);
    expect(tried).toBeLessThan(12);
    await mails.only(`codesGuessed-${id}`);
    const { secondFactorAt } = await rowOf(id);
    const known = pairOf(rememberAccount(null, [`${id} ${secondFactorAt?.getTime()}`]));
    expect(await finish(nextCode(secret), await afterPassword(id, known))).toBe('signed_in');
  });

  it('[N5] knows a browser again that has passed it, and forgets it with the app', async () => {
    const { id, user, secret, recoveryCodes } = await withApp();
    const first = await finishSignIn({ code: nextCode(secret) }, await afterPassword(id));
    if (first.status !== 'signed_in') throw new Error(first.status);
    const known = first.setCookies.map(pairOf).join('; ');
    const browser = () => afterPassword(id, known);
    // Many wrong codes of strangers: the wait must not be over before the last line.
    const strangers = keys.tries('second-step', 'unknown', hashSubject(id, ''));
    await finish(wrongCode(secret), await afterPassword(id));
    expect(await cacheRedis().getset(strangers, `30 ${Date.now() + 3_600_000}`)).toMatch(/^1 /);
    expect(await finish('x', await afterPassword(id))).toBe('limited');
    expect(await finish(recoveryCodes[0] as string, await browser())).toBe('signed_in');
    const given = { currentPassword: PASSWORD, code: recoveryCodes[1] as string };
    expect((await removeFactor(user, APP, given, caller)).status).toBe('removed');
    await confirmTotp(user, totpCode(await begin(user)));
    expect(await finish('x', await browser())).toBe('limited');
  });

  it('[N5] is not for who gave no password, gave it too long ago, or for another account', async () => {
    const { id, secret } = await withApp();
    const other = await withApp();
    const code = nextCode(secret);
    const row = await rowOf(id);
    const from = (cookie: string) => finish(code, withCookie(cookie));
    const good = pairOf(writeStep(row));
    const [head = '', expiry = '', mark, signature] = good.split('.');
    for (const cookie of [
      '',
      'seckill-step=',
      `seckill-step=${'x'.repeat(5_000)}`,
      pairOf(writeStep(row, Date.now() - STEP_LIFETIME_MS)),
      [head, Number(expiry) + 1, mark, signature].join('.'),
      good.replace(id, other.id),
      pairOf(writeStep({ ...row, passwordHash: 'another' })),
      pairOf(writeStep({ ...row, sessionVersion: row.sessionVersion - 1 })),
      pairOf(writeStep({ ...row, id: 'user_nobody' })),
    ])
      expect(await from(cookie), cookie.slice(0, 80)).toBe('over');
    expect(await from(good)).toBe('signed_in');
  });

  it('[N3 N5] is over when the account was banned, signed out or given another password meanwhile', async () => {
    const changes = [
      { bannedAt: new Date() },
      { sessionVersion: { increment: 1 } },
      { passwordHash: 'another' },
    ];
    for (const data of changes) {
      const { id, secret } = await withApp();
      const browser = await afterPassword(id);
      await db().user.update({ where: { id }, data });
      expect(await finish(nextCode(secret), browser)).toBe('over');
    }
  });

  it('[N5 I3] gives the mails the language of the page where it was passed, and no earlier', async () => {
    const { id, email, secret } = await withApp();
    await signIn({ email, password: PASSWORD, locale: 'zh-CN' }, caller);
    expect((await rowOf(id)).locale).toBe('en');
    await finishSignIn({ code: nextCode(secret), locale: 'zh-CN' }, await afterPassword(id));
    expect((await rowOf(id)).locale).toBe('zh-CN');
  });
});

describe('signing in over HTTP', () => {
  const post = (name: string, body: Record<string, string>, cookie = '', isForm = false) =>
    postAuth(
      new Request('http://shop.test/', {
        method: 'POST',
        headers: {
          'sec-fetch-site': 'same-origin',
          'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          referer: 'http://localhost:3999/second-step?callbackUrl=%2Forders',
          cookie,
        },
        body: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body),
      }),
      { params: Promise.resolve({ nextauth: ['callback', name] }) } as never,
    );
  const sessionFrom = (answer: Response) =>
    userOfSession(
      answer.headers
        .getSetCookie()
        .map(pairOf)
        .find((pair) => pair.startsWith(`${sessionCookieName()}=`))
        ?.split('=')[1],
    );

  it('[N5] the password alone brings a proof and no session, and the proof is none', async () => {
    const { email, secret } = await withApp();
    const first = await post('credentials', { email, password: PASSWORD });
    expect(first.status).toBe(401);
    expect(await first.json()).toMatchObject({
      code: 'SECOND_FACTOR_NEEDED',
      url: expect.stringContaining('/second-step?callbackUrl=%2Forders&error=CredentialsSignin'),
    });
    const [step = '', ...rest] = first.headers.getSetCookie();
    expect(rest).toEqual([]);
    expect(step).toMatch(/^seckill-step=.*; Max-Age=300; HttpOnly; SameSite=Lax$/);
    expect(await userOfSession(pairOf(step).split('=')[1])).toBeNull();
    const wrong = await post('second-step', { code: wrongCode(secret) }, pairOf(step));
    expect([wrong.status, (await wrong.json()).code]).toEqual([403, 'FACTOR_CODE_WRONG']);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const over = await post('second-step', { code: nextCode(secret) });
    expect([over.status, (await over.json()).code]).toEqual([401, 'SECOND_STEP_OVER']);
    const second = await post('second-step', { code: nextCode(secret) }, pairOf(step));
    expect(second.status).toBe(200);
    expect(await sessionFrom(second)).toMatchObject({ email });
    expect(second.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^seckill-step=; .*Max-Age=0/),
    );
  });

  it('[N5] a form without a script is led from page to page', async () => {
    const { email, secret } = await withApp();
    const first = await post('credentials', { email, password: PASSWORD, locale: 'zh-CN' }, '', true);
    expect([first.status, first.headers.get('location')]).toEqual([
      303,
      '/zh-CN/second-step?callbackUrl=%2Forders',
    ]);
    const [step = ''] = first.headers.getSetCookie();
    const wrong = await post('second-step', { code: wrongCode(secret) }, pairOf(step), true);
    expect(wrong.headers.get('location')).toBe('/second-step?notice=code&callbackUrl=%2Forders#code');
    const empty = await post('second-step', {}, pairOf(step), true);
    expect(empty.headers.get('location')).toBe('/second-step?notice=code&callbackUrl=%2Forders#code');
    const over = await post('second-step', { code: nextCode(secret) }, 'seckill-step=torn', true);
    expect(over.headers.get('location')).toBe('/signin?notice=over&callbackUrl=%2Forders#over');
    const second = await post('second-step', { code: nextCode(secret) }, pairOf(step), true);
    expect(second.headers.get('location')).toBe('/api/auth/signed-in?locale=en&to=%2Forders');
    expect(await sessionFrom(second)).toMatchObject({ email });
  });

  it('[N5 N8] a code from another site is not looked at', async () => {
    const { id, secret } = await withApp();
    const answer = await postAuth(
      new Request('http://shop.test/', {
        method: 'POST',
        headers: {
          'sec-fetch-site': 'cross-site',
          'content-type': 'application/json',
          cookie: pairOf(writeStep(await rowOf(id))),
        },
        body: JSON.stringify({ code: nextCode(secret) }),
      }),
      { params: Promise.resolve({ nextauth: ['callback', 'second-step'] }) } as never,
    );
    expect([answer.status, (await answer.json()).code]).toEqual([403, 'CSRF']);
    expect(await finish(nextCode(secret), await afterPassword(id))).toBe('signed_in');
  });
});
