import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { POST as postAsk } from '@/app/api/account/email/route';
import { GET as getConfirm, POST as postConfirm } from '@/app/api/email/confirm/route';
import { POST as postStop } from '@/app/api/email/stop/route';
import { currentUser, userOfSession } from '@/lib/account/current-user';
import { signEmailChange } from '@/lib/account/email-change-token';
import { replaceRecoveryCodes } from '@/lib/account/factors/recovery-codes';
import { isAddressFree } from '@/lib/account/is-address-free';
import { pruneEmailChanges } from '@/lib/account/prune-email-changes';
import { recentUser } from '@/lib/account/recent-user';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { stopWatchingEndedSessions, watchEndedSessions } from '@/lib/account/sessions/ended-sessions';
import { isSessionEnded } from '@/lib/account/sessions/is-session-ended';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import { signVerification } from '@/lib/account/verification-token';
import { verifyEmail } from '@/lib/account/verify-email';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { makePasskey } from '@/test/support/make-passkey';
import { acceptInvitation } from './accept-invitation';
import { askEmailChange } from './ask-email-change';
import { confirmEmailChange } from './confirm-email-change';
import { inviteStaff } from './invite-staff';
import { registerAccount } from './register-account';
import { resetPassword } from './reset-password';
import { signIn } from './sign-in';
import { stopEmailChange } from './stop-email-change';

const WAITING = { timeout: 60_000 };
const DAY_MS = 86_400_000;
const at = (address: string | null) => ({ address, headers: new Headers() });
const caller = at(null);

const mails = keepMailsApart();
afterAll(async () => {
  stopWatchingEndedSessions();
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(() => cacheRedis().flushdb());

const newAddress = () => `${newId('new')}@example.com`;
const wish = (newEmail: string, currentPassword = PASSWORD) => ({ newEmail, currentPassword });
const emailOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).email;
const withCookie = (cookie: string) => new Headers({ cookie: `${sessionCookieName()}=${cookie}` });

async function signedIn(data: object = {}) {
  const { id, email } = await makeAccount();
  await db().user.update({ where: { id }, data });
  const cookie = await sessionOf(id);
  return { id, email, cookie, user: (await userOfSession(cookie)) as CurrentUser };
}

/** Asks as the user is now. @returns the id of the change */
async function ask(cookie: string, newEmail: string) {
  const user = (await currentUser(withCookie(cookie))) as CurrentUser;
  expect(await askEmailChange(user, wish(newEmail), caller)).toEqual({ status: 'taken' });
  const { id } = await db().emailChange.findFirstOrThrow({
    where: { userId: user.userId, newEmail },
    orderBy: { sessionVersion: 'desc' },
  });
  return id;
}

const tokenIn = (mail: string, page: string) => new RegExp(`/${page}#([\\w.-]+)`).exec(mail)?.[1] ?? '';
const confirmToken = async (id: string) => tokenIn(await mails.only(`email-confirm-${id}`), 'confirm-email');
const stopToken = async (id: string) => tokenIn(await mails.only(`email-asked-${id}`), 'stop-email');
const confirm = (token: string, by = caller) => confirmEmailChange(token, by);
const stop = (token: string, by = caller) => stopEmailChange(token, by);
/** Asks for an address and confirms it. @returns the id of the change */
async function move(cookie: string, newEmail: string) {
  const id = await ask(cookie, newEmail);
  expect(await confirm(await confirmToken(id))).toEqual({ status: 'changed', email: newEmail });
  return id;
}
const signsIn = async (email: string, password = PASSWORD) =>
  (await signIn({ email, password }, caller)).status;

describe('another e-mail address', () => {
  it('[N2 N3 O7] counts once its link is confirmed, once; both addresses are told, and other sessions end', async () => {
    await watchEndedSessions();
    const { id, email, cookie, user } = await signedIn();
    const elsewhere = await sessionOf(id);
    const other = (await userOfSession(elsewhere)) as CurrentUser;
    const next = newAddress();
    await db().user.update({ where: { id }, data: { mailRefusedAt: new Date() } });
    const change = await ask(cookie, next);
    expect(await emailOf(id)).toBe(email);
    expect(await mails.only(`email-confirm-${change}`)).toContain(`To: ${next}`);
    const told = await mails.only(`email-asked-${change}`);
    expect(told).toContain(`To: ${email}`);
    expect(told).toContain(next);

    expect(await confirm(await confirmToken(change))).toEqual({ status: 'changed', email: next });
    expect(await userOfSession(cookie)).toMatchObject({ email: next, emailVerifiedAt: expect.any(Number) });
    expect((await db().user.findUniqueOrThrow({ where: { id } })).mailRefusedAt).toBeNull();
    expect(await userOfSession(elsewhere)).toBeNull();
    await expect.poll(() => isSessionEnded(other.session.id), WAITING).toBe(true);
    expect(isSessionEnded(user.session.id)).toBe(false);
    expect(await signsIn(email)).toBe('wrong');
    expect(await signsIn(next)).toBe('signed_in');
    expect(await mails.only(`email-changed-${change}`)).toContain(`To: ${email}`);
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'invalid' });
  });

  it('[N2] is known by the session of before within a second', async () => {
    const { cookie } = await signedIn();
    const headers = withCookie(cookie);
    await recentUser(headers);
    const next = newAddress();
    await move(cookie, next);
    await expect.poll(async () => (await recentUser(headers))?.email, WAITING).toBe(next);
  });

  it('[N2 N9] is in the log as actions without addresses', async () => {
    const { id, cookie } = await signedIn();
    const change = await move(cookie, newAddress());
    await stop(await stopToken(change));
    const logged = await db().auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
    expect(logged.map(({ action }) => action)).toEqual([
      'user.ask_email_change',
      'user.change_email',
      'user.stop_email_change',
    ]);
    const text = JSON.stringify(logged, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    expect(text).not.toContain('@');
  });

  it('[N2 I3] is asked for, confirmed and undone in the language of the account', async () => {
    const { cookie } = await signedIn({ locale: 'zh-CN' });
    const change = await move(cookie, newAddress());
    for (const [mail, page] of [
      ['confirm', 'confirm-email'],
      ['asked', 'stop-email'],
      ['changed', 'stop-email'],
    ]) {
      const text = await mails.only(`email-${mail}-${change}`);
      expect(text).toContain(`/zh-CN/${page}#`);
      expect(text).not.toMatch(/[{}]|Your account/);
    }
  });
});

describe('the old address', () => {
  it('[N2 N3] undoes a change and all later ones: the thief is out, and has no way back', async () => {
    await watchEndedSessions();
    const { id, email, cookie, user } = await signedIn({ emailVerifiedAt: new Date() });
    const [theirs, alsoTheirs] = [newAddress(), newAddress()];
    const first = await move(cookie, theirs);
    const second = await move(cookie, alsoTheirs);
    const third = await ask(cookie, newAddress());
    expect(await stop(await stopToken(first))).toEqual({ status: 'stopped', email });
    expect(await db().user.findUnique({ where: { id } })).toMatchObject({
      email,
      emailVerifiedAt: new Date(user.emailVerifiedAt as number),
    });
    expect(await userOfSession(cookie)).toBeNull();
    await expect.poll(() => isSessionEnded(user.session.id), WAITING).toBe(true);
    for (const address of [email, theirs, alsoTheirs]) expect(await signsIn(address)).toBe('wrong');
    expect(await stop(await stopToken(second))).toEqual({ status: 'invalid' });
    expect(await confirm(await confirmToken(second))).toEqual({ status: 'invalid' });
    expect(await confirm(await confirmToken(third))).toEqual({ status: 'invalid' });
    expect(await stop(await stopToken(first))).toEqual({ status: 'invalid' });
    const token = tokenIn(await mails.only(`reset-${id}`), 'reset-password');
    expect(await resetPassword({ token, newPassword: 'mine once again' }, caller)).toEqual({
      status: 'reset',
      email,
    });
    expect(await signsIn(email, 'mine once again')).toBe('signed_in');
  });

  it('[N2 N5] takes away the second factor that the thief has added, and leaves the owner’s', async () => {
    const recently = new Date(Date.now() - DAY_MS / 24);
    const before = new Date(Date.now() - 2 * DAY_MS);
    const withFactors = async (...addedAt: Date[]) => {
      const { id, cookie } = await signedIn({ secondFactorAt: addedAt[0] });
      for (const createdAt of addedAt) {
        const passkey = await makePasskey(id);
        await db().passkey.update({ where: { id: passkey.id }, data: { createdAt } });
      }
      await transaction((tx) => replaceRecoveryCodes(tx, id));
      return { id, token: await stopToken(await ask(cookie, newAddress())) };
    };
    const addApp = (userId: string, confirmedAt: Date) =>
      db().totpFactor.create({ data: { userId, sealedSecret: '', keyMark: '', sessionId: '', confirmedAt } });
    const leftTo = async (id: string) => ({
      passkeys: await db().passkey.count({ where: { userId: id } }),
      apps: await db().totpFactor.count({ where: { userId: id } }),
      codes: await db().recoveryCode.count({ where: { userId: id } }),
      isOn: (await db().user.findUniqueOrThrow({ where: { id } })).secondFactorAt !== null,
    });
    const [theirs, mine, both] = [
      await withFactors(recently),
      await withFactors(before),
      await withFactors(before, recently),
    ];
    await addApp(theirs.id, recently);
    await addApp(mine.id, before);
    for (const { token } of [theirs, mine, both]) expect((await stop(token)).status).toBe('stopped');
    expect(await leftTo(theirs.id)).toEqual({ passkeys: 0, apps: 0, codes: 0, isOn: false });
    expect(await leftTo(mine.id)).toEqual({ passkeys: 1, apps: 1, codes: 10, isOn: true });
    // The thief may have seen the codes.
    expect(await leftTo(both.id)).toEqual({ passkeys: 1, apps: 0, codes: 0, isOn: true });
  });

  it('[N2] undoes a later change after an earlier one that it left standing, whatever the clocks say', async () => {
    const { id, email, cookie } = await signedIn();
    const [own, theirs] = [newAddress(), newAddress()];
    const first = await move(cookie, own);
    const second = await move(cookie, theirs);
    // The process that took the second request has a clock that is late.
    await db().emailChange.update({ where: { id: second }, data: { createdAt: new Date(0) } });
    expect(await stop(await stopToken(second))).toEqual({ status: 'stopped', email: own });
    expect(await stop(await stopToken(first))).toEqual({ status: 'stopped', email });
    expect(await emailOf(id)).toBe(email);
    const again = await signedIn();
    const [one, two] = [await move(again.cookie, newAddress()), await move(again.cookie, newAddress())];
    await db().emailChange.update({ where: { id: two }, data: { createdAt: new Date(0) } });
    expect((await stop(await stopToken(one))).status).toBe('stopped');
    expect(await stop(await stopToken(two))).toEqual({ status: 'invalid' });
  });

  it('[N2] stops a change before it is confirmed, too, and whoever asked is out', async () => {
    const { id, email, cookie } = await signedIn();
    const change = await ask(cookie, newAddress());
    expect(await stop(await stopToken(change))).toEqual({ status: 'stopped', email });
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'invalid' });
    expect(await userOfSession(cookie)).toBeNull();
    expect(await emailOf(id)).toBe(email);
    expect(await signsIn(email)).toBe('wrong');
  });

  it('[N2] stays its owner’s for seven days: nobody registers it, is invited into it or moves there', async () => {
    const { id, email, cookie } = await signedIn();
    const change = await move(cookie, newAddress());
    const registration = { email, password: 'long enough', name: 'Thief', locale: 'en' as const };
    expect(await registerAccount(registration, caller)).toEqual({ status: 'email_taken' });
    const invited = await inviteStaff({ email, role: 'support', invitedBy: 'command' });
    const token = invited.status === 'invited' ? new URL(invited.url).hash.slice(1) : '';
    expect(await acceptInvitation({ token, password: 'long enough', name: 'Thief' }, caller)).toEqual({
      status: 'invalid',
    });
    const thief = await signedIn();
    const theirs = await ask(thief.cookie, email);
    expect(await mails.only(`email-confirm-${theirs}`)).not.toContain('confirm-email#');
    expect(await confirm(signEmailChange('confirm', theirs))).toEqual({ status: 'email_taken' });
    // A process of the release before writes like this.
    await expect(db().user.update({ where: { id: thief.id }, data: { email } })).rejects.toThrow();

    await db().emailChange.update({ where: { id: change }, data: { undoUntil: new Date(Date.now() - 1) } });
    expect(await stop(await stopToken(change))).toEqual({ status: 'invalid' });
    await pruneEmailChanges();
    expect(await db().emailChange.count({ where: { id: { in: [change, theirs] } } })).toBe(1);
    expect((await registerAccount(registration, caller)).status).toBe('registered');
    expect(await emailOf(id)).not.toBe(email);
  });

  it('[N2] is not taken by a registration at the very moment at which it is left', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { email, cookie } = await signedIn();
      const token = await confirmToken(await ask(cookie, newAddress()));
      const registration = { email, password: 'long enough', name: 'Thief', locale: 'en' as const };
      const [changed, registered] = await Promise.all([
        confirm(token),
        registerAccount(registration, caller),
      ]);
      expect([changed.status, registered.status]).toEqual(['changed', 'email_taken']);
    }
  });

  it('[N2] may be returned to by its own account, and comes back unverified if its inbox has verified another one', async () => {
    const { id, email, cookie } = await signedIn({ emailVerifiedAt: new Date() });
    const away = newAddress();
    const change = await move(cookie, away);
    const back = await move(cookie, email);
    expect(await emailOf(id)).toBe(email);
    expect(await stop(await stopToken(back))).toEqual({ status: 'stopped', email: away });
    const other = await makeAccount('shopper', email.replace('@', '+other@'));
    expect(await verifyEmail(signVerification({ userId: other.id, email: other.email }))).toBe('verified');
    expect(await stop(await stopToken(change))).toEqual({ status: 'stopped', email });
    expect((await db().user.findUniqueOrThrow({ where: { id } })).emailVerifiedAt).toBeNull();
  });

  it('[N2] goes back to a banned account, which gets no mail', async () => {
    const { id, email, cookie } = await signedIn();
    const change = await move(cookie, newAddress());
    await db().user.update({ where: { id }, data: { bannedAt: new Date() } });
    const free = await signedIn();
    const token = await stopToken(await ask(free.cookie, newAddress()));
    expect(await stop(await stopToken(change))).toEqual({ status: 'stopped', email });
    // The mail of a later stop is there.
    await stop(token);
    await mails.only(`reset-${free.id}`);
    expect(await mails.named(`reset-${id}`)).toEqual([]);
  });
});

describe('two at once', () => {
  it('[N2] of a link used twice and its stop the stop has the last word', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email, cookie } = await signedIn();
      const change = await ask(cookie, newAddress());
      const [yes, no] = [await confirmToken(change), await stopToken(change)];
      const [one, two, stopped] = await Promise.all([confirm(yes), confirm(yes), stop(no)]);
      expect(stopped.status).toBe('stopped');
      expect([one, two].filter(({ status }) => status === 'changed').length).toBeLessThanOrEqual(1);
      expect(await emailOf(id)).toBe(email);
    }
  });

  it('[N2] of two requests the later one alone is open', async () => {
    const { id, user } = await signedIn();
    const results = await Promise.all(
      [newAddress(), newAddress()].map((next) => askEmailChange(user, wish(next), caller)),
    );
    expect(results).toEqual([{ status: 'taken' }, { status: 'taken' }]);
    const changes = await db().emailChange.findMany({
      where: { userId: id },
      orderBy: { withdrawnAt: 'asc' },
    });
    expect(changes.map(({ withdrawnAt }) => withdrawnAt === null)).toEqual([false, true]);
    const used = [];
    for (const change of changes) used.push((await confirm(signEmailChange('confirm', change.id))).status);
    expect(used).toEqual(['invalid', 'changed']);
  });
});

describe('a request for another address', () => {
  const post = async (session: string | null, body: unknown, isSameOrigin = true) => {
    const answer = await callWith(session, postAsk, { method: 'POST', body, isSameOrigin });
    return [answer.status, (await answer.json()).code];
  };

  it('[N2] wants a session, the password and another address, and is not for demo accounts', async () => {
    const { id, user, email, cookie } = await signedIn();
    const next = newAddress();
    expect(await post(null, wish(next))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await post(cookie, wish(next), false)).toEqual([403, 'CSRF']);
    expect(await post(cookie, wish(next, 'wrong'))).toEqual([403, 'PASSWORD_WRONG']);
    expect(await post(cookie, wish(email))).toEqual([409, 'EMAIL_UNCHANGED']);
    const demo = await signedIn({ isDemo: true });
    expect(await askEmailChange(demo.user, wish(next), caller)).toEqual({ status: 'demo_account' });
    await endSessions(db(), id);
    expect(await askEmailChange(user, wish(next), caller)).toEqual({ status: 'signed_out' });
    expect(await db().emailChange.count({ where: { userId: id } })).toBe(0);
  });

  it('[N2] takes the addresses that a registration takes, in small letters', async () => {
    const { id, cookie } = await signedIn();
    for (const address of [
      '',
      'x',
      'аnn@exаmple.com',
      '安@例子.中国',
      'a b@example.com',
      'a@b.com\r\nBcc: c@d.com',
      `${'x'.repeat(250)}@x.com`,
      `${'x'.repeat(10_000)}@example.com`,
      null,
      ['a@b.com'],
    ])
      expect(await post(cookie, wish(address as string)), String(address).slice(0, 99)).toEqual([
        422,
        'VALIDATION',
      ]);
    expect(await post(cookie, { newEmail: newAddress() })).toEqual([422, 'VALIDATION']);
    expect(await post(cookie, { ...wish(newAddress()), userId: 'another' })).toEqual([422, 'VALIDATION']);
    expect(await post(cookie, wish(` ${newId('ann').toUpperCase()}@Example.COM `))).toEqual([202, undefined]);
    const { newEmail } = await db().emailChange.findFirstOrThrow({ where: { userId: id } });
    expect(newEmail).toMatch(/^ann_\w+@example\.com$/);
  });

  it('[N2] tells nobody who has an account: the same answer and record, and no link to an address in use', async () => {
    const { cookie, id, email } = await signedIn();
    const known = await makeAccount();
    const box = newId('box');
    const verified = await makeAccount('shopper', `${box}@example.com`);
    await db().user.update({ where: { id: verified.id }, data: { emailVerifiedAt: new Date() } });
    for (const taken of [known.email, `${box}+other@example.com`]) {
      expect(await isAddressFree(taken, id)).toBe(false);
      const change = await ask(cookie, taken);
      expect(await mails.only(`email-confirm-${change}`)).toContain('Nothing has changed');
      expect(await confirmToken(change)).toBe('');
      expect(await stopToken(change)).not.toBe('');
      // Not even by a link that was never sent.
      expect(await confirm(signEmailChange('confirm', change))).toEqual({ status: 'email_taken' });
      expect(await emailOf(id)).toBe(email);
    }
  });

  it('[N2] is answered without waiting for who has the address, and may be repeated at once if its mails fail', async () => {
    const { user } = await signedIn();
    const next = newAddress();
    const real = db().$queryRaw;
    let looked = 0;
    const failing = vi.spyOn(db(), '$queryRaw').mockImplementation(function (this: never, ...query) {
      if (!String(query[0]).includes('inbox_of')) return real.apply(this, query);
      looked += 1;
      throw new Error('no database');
    });
    expect(await askEmailChange(user, wish(next), caller)).toEqual({ status: 'taken' });
    await expect.poll(() => looked, WAITING).toBe(1);
    failing.mockRestore();
    await expect
      // Less than the minute that a mail would have cost.
      .poll(async () => (await askEmailChange(user, wish(next), caller)).status, { timeout: 50_000 })
      .toBe('taken');
  });

  it('[N2 N4] an inbox gets one mail a minute, in whatever spelling, and an account sends few', async () => {
    const { user } = await signedIn();
    const next = newAddress();
    expect((await askEmailChange(user, wish(next), caller)).status).toBe('taken');
    const other = await signedIn();
    const again = next.replace('@', '+again@');
    expect(await askEmailChange(other.user, wish(again), caller)).toMatchObject({ status: 'too_soon' });
    const asked = [];
    for (let nth = 0; nth < 7; nth += 1)
      asked.push((await askEmailChange(user, wish(newAddress()), caller)).status);
    expect(asked).toEqual([...Array(4).fill('taken'), ...Array(3).fill('too_soon')]);
  });

  it('[N4] does not help to guess the password: a few tries, then waits', async () => {
    const { user } = await signedIn();
    const tried: string[] = [];
    // The waits grow: a slow machine comes to one, too.
    for (let nth = 0; nth < 12 && !tried.includes('limited'); nth += 1)
      tried.push((await askEmailChange(user, wish(newAddress(), `guess ${nth}`), caller)).status);
    expect(tried.slice(0, 5)).toEqual(Array(5).fill('wrong'));
    expect(tried).toContain('limited');
  });
});

describe('a link about a change', () => {
  it('[N2] is good for its own change and purpose alone, while it is fresh; every other one gets one clear answer', async () => {
    const { id, email, cookie } = await signedIn();
    const other = await signedIn();
    const change = await ask(cookie, newAddress());
    const theirs = await ask(other.cookie, newAddress());
    const [yes, no] = [await confirmToken(change), await stopToken(change)];
    const wrong = [
      '',
      'x',
      '\u{1f511}',
      '链接',
      'x'.repeat(10_000),
      signEmailChange('confirm', 'nothing'),
      `${yes}x`,
    ];
    const ofAnother = (token: string) => `${theirs}.${token.split('.')[1]}`;
    for (const [handler, tokens] of [
      [postConfirm, [...wrong, no, ofAnother(yes)]],
      [postStop, [...wrong, yes, ofAnother(no)]],
    ] as const)
      for (const token of tokens) {
        const answer = await callWith(null, handler, { method: 'POST', body: { token } });
        expect([answer.status, (await answer.json()).code], token.slice(0, 99)).toEqual([
          410,
          'EMAIL_CHANGE_INVALID',
        ]);
      }
    expect((await callWith(null, postStop, { method: 'POST', body: { token: [no] } })).status).toBe(422);
    expect((await callWith(null, getConfirm, { query: { token: yes } })).status).toBe(405);
    await db().emailChange.update({ where: { id: change }, data: { expiresAt: new Date() } });
    expect(await confirm(yes)).toEqual({ status: 'invalid' });
    const late = await ask(cookie, newAddress());
    await db().user.update({ where: { id }, data: { sessionVersion: { increment: 1 } } });
    expect(await confirm(await confirmToken(late))).toEqual({ status: 'invalid' });
    expect([await emailOf(id), await emailOf(other.id)]).toEqual([email, other.email]);
  });

  it('[N4] that is wrong costs waits, and makes nobody else wait', async () => {
    const tries = await Promise.all(
      Array.from({ length: 21 }, (_, nth) => (nth % 2 ? confirm : stop)('x', at('203.0.113.8'))),
    );
    expect(tries.filter(({ status }) => status === 'invalid')).toHaveLength(20);
    const { cookie } = await signedIn();
    const change = await ask(cookie, newAddress());
    const elsewhere = at('203.0.113.9');
    expect((await confirm(await confirmToken(change), elsewhere)).status).toBe('changed');
    expect((await stop(await stopToken(change), elsewhere)).status).toBe('stopped');
  });
});
