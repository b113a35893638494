import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { currentUser, userOfSession } from '@/lib/account/current-user';
import { signEmailChange } from '@/lib/account/email-change-token';
import { pruneEmailChanges } from '@/lib/account/prune-email-changes';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { CurrentUser } from '@/lib/account/types';
import { emailChangeWish } from '@/lib/contract/shapes/account';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { lengthenWaits } from '@/test/support/lengthen-waits';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { askEmailChange } from './ask-email-change';
import { confirmEmailChange } from './confirm-email-change';
import { registerAccount } from './register-account';
import { resetPassword } from './reset-password';
import { signIn } from './sign-in';
import { stopEmailChange } from './stop-email-change';

const caller = { address: null, headers: new Headers() };

const mailDir = keepMailsApart();
lengthenWaits();
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await cacheRedis().flushall();
});

const newAddress = () => `${newId('new')}@example.com`;
const wish = (newEmail: string, currentPassword = PASSWORD) => ({ newEmail, currentPassword });
const emailOf = async (id: string) => (await db().user.findUniqueOrThrow({ where: { id } })).email;

async function signedIn(data: object = {}) {
  const { id, email } = await makeAccount();
  await db().user.update({ where: { id }, data });
  const cookie = await sessionOf(id);
  const user = (await userOfSession(cookie)) as CurrentUser;
  return { id, email, cookie, user };
}

/** Asks as the user is now, and waits for both mails. */
async function ask(cookie: string, newEmail: string) {
  const user = await currentUser(new Headers({ cookie: `${sessionCookieName()}=${cookie}` }));
  if (!user) throw new Error('signed out');
  expect(await askEmailChange(user, wish(newEmail), caller)).toEqual({ status: 'taken' });
  const { id } = await db().emailChange.findFirstOrThrow({
    where: { userId: user.userId },
    orderBy: { createdAt: 'desc' },
  });
  await Promise.all([mailOf(`email-confirm-${id}`), mailOf(`email-asked-${id}`)]);
  return id;
}

async function mailOf(key: string): Promise<string> {
  await expect.poll(() => readdir(mailDir.path)).toContain(`${key}.eml`);
  const mail = await readFile(join(mailDir.path, `${key}.eml`), 'utf8');
  return mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
}
const tokenIn = (mail: string, page: string) => new RegExp(`${page}#([\\w.-]+)`).exec(mail)?.[1] ?? '';
const confirmToken = async (id: string) => tokenIn(await mailOf(`email-confirm-${id}`), 'confirm-email');
const stopToken = async (id: string) => tokenIn(await mailOf(`email-asked-${id}`), 'stop-email');
const confirm = (token: string) => confirmEmailChange(token, caller);
const stop = (token: string) => stopEmailChange(token, caller);

describe('another e-mail address', () => {
  it('[N2 N3] counts once its link is confirmed; other sessions end, and the account signs in by it, verified', async () => {
    const { id, email, cookie } = await signedIn();
    const elsewhere = await sessionOf(id);
    const next = newAddress();
    const change = await ask(cookie, next);
    expect(await emailOf(id)).toBe(email);
    expect(await mailOf(`email-asked-${change}`)).toContain(next);
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'changed', email: next });
    expect(await userOfSession(cookie)).toMatchObject({ email: next, emailVerifiedAt: expect.any(Number) });
    expect(await userOfSession(elsewhere)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect((await signIn({ email: next, password: PASSWORD }, caller)).status).toBe('signed_in');
    expect(await mailOf(`email-changed-${change}`)).toContain(`To: ${email}`);
    const logged = await db().auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
    expect(logged.map(({ action }) => action)).toEqual(['user.ask_email_change', 'user.change_email']);
    expect(JSON.stringify(logged, (_, value) => (typeof value === 'bigint' ? null : value))).not.toContain(
      '@example.com',
    );
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'invalid' });
  });

  it('[N2] cannot take an account over: from the old address a thief is undone, even after two changes', async () => {
    const { id, email, cookie, user } = await signedIn({ emailVerifiedAt: new Date() });
    const [theirs, alsoTheirs] = [newAddress(), newAddress()];
    const first = await ask(cookie, theirs);
    await confirm(await confirmToken(first));
    const second = await ask(cookie, alsoTheirs);
    await confirm(await confirmToken(second));
    expect(await stop(await stopToken(first))).toEqual({ status: 'stopped', email });
    expect(await db().user.findUnique({ where: { id } })).toMatchObject({
      email,
      emailVerifiedAt: new Date(user.emailVerifiedAt as number),
    });
    expect(await userOfSession(cookie)).toBeNull();
    for (const address of [email, theirs, alsoTheirs])
      expect((await signIn({ email: address, password: PASSWORD }, caller)).status).toBe('wrong');
    // The thief's own links are good for nothing.
    expect(await stop(await stopToken(second))).toEqual({ status: 'invalid' });
    expect(await confirm(await confirmToken(second))).toEqual({ status: 'invalid' });
    expect(await stop(await stopToken(first))).toEqual({ status: 'invalid' });
    const token = tokenIn(await mailOf(`reset-${id}`), 'reset-password');
    expect((await resetPassword({ token, newPassword: 'mine again' }, caller)).status).toBe('reset');
    expect((await signIn({ email, password: 'mine again' }, caller)).status).toBe('signed_in');
  });

  it('[N2] is stopped before it is confirmed, too: the link is void, and whoever asked is signed out', async () => {
    const { id, email, cookie } = await signedIn();
    const change = await ask(cookie, newAddress());
    expect(await stop(await stopToken(change))).toEqual({ status: 'stopped', email });
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'invalid' });
    expect(await userOfSession(cookie)).toBeNull();
    expect(await emailOf(id)).toBe(email);
  });

  it('[N2] of a confirmation and its stop at once the stop has the last word; of two confirmations one succeeds', async () => {
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

  it('[N2] of two requests at once the later one alone is open', async () => {
    const { id, user } = await signedIn();
    const results = await Promise.all(
      [newAddress(), newAddress()].map((next) => askEmailChange(user, wish(next), caller)),
    );
    expect(results).toEqual([{ status: 'taken' }, { status: 'taken' }]);
    const changes = await db().emailChange.findMany({ where: { userId: id } });
    const open = changes.filter(({ withdrawnAt }) => withdrawnAt === null);
    expect(open).toHaveLength(1);
    for (const { id: change, withdrawnAt } of changes)
      expect((await confirm(signEmailChange('confirm', change))).status).toBe(
        withdrawnAt === null ? 'changed' : 'invalid',
      );
  });

  it('[N2] nothing but its own fresh link makes it', async () => {
    const { id, email, cookie } = await signedIn();
    const other = await signedIn();
    const change = await ask(cookie, newAddress());
    const theirChange = await ask(other.cookie, newAddress());
    const [, signature] = (await confirmToken(change)).split('.');
    const wrong = ['', 'x', 'x'.repeat(200), `${theirChange}.${signature}`, await stopToken(change)];
    for (const token of [...wrong, `${await confirmToken(change)}x`, signEmailChange('confirm', 'nothing')])
      expect(await confirm(token), token).toEqual({ status: 'invalid' });
    await confirm(await confirmToken(theirChange));
    expect(await emailOf(id)).toBe(email);
    await db().emailChange.update({ where: { id: change }, data: { expiresAt: new Date() } });
    expect(await confirm(await confirmToken(change))).toEqual({ status: 'invalid' });
    const late = await ask(cookie, newAddress());
    await db().user.update({ where: { id }, data: { sessionVersion: { increment: 1 } } });
    expect(await confirm(await confirmToken(late))).toEqual({ status: 'invalid' });
    expect(await emailOf(id)).toBe(email);
  });

  it('[N2] tells nobody who has an account: the same answer, a notice, and no link for an address in use', async () => {
    const { cookie, id } = await signedIn();
    const known = await makeAccount();
    const box = newId('box');
    await makeAccount('shopper', `${box}@example.com`).then(({ id: owner }) =>
      db().user.update({ where: { id: owner }, data: { emailVerifiedAt: new Date() } }),
    );
    for (const taken of [known.email, `${box}+other@example.com`]) {
      const change = await ask(cookie, taken);
      expect(await confirmToken(change)).toBe('');
      expect(await mailOf(`email-confirm-${change}`)).toContain('has an account already');
      expect(await stopToken(change)).not.toBe('');
      // Not even with a link that was never sent.
      expect(await confirm(signEmailChange('confirm', change))).toEqual({ status: 'email_taken' });
    }
    expect(await emailOf(id)).not.toBe(known.email);
  });

  it('[N2] keeps the old address for its owner: nobody registers or takes it while the change can be undone', async () => {
    const { id, email, cookie } = await signedIn();
    const change = await ask(cookie, newAddress());
    await confirm(await confirmToken(change));
    const registration = { email, password: 'long enough', name: 'Thief', locale: 'en' as const };
    expect(await registerAccount(registration, caller)).toEqual({ status: 'email_taken' });
    const thief = await signedIn();
    const theirs = await ask(thief.cookie, email);
    expect(await confirm(signEmailChange('confirm', theirs))).toEqual({ status: 'email_taken' });
    await db().emailChange.update({ where: { id: change }, data: { undoUntil: new Date(Date.now() - 1) } });
    expect(await stop(await stopToken(change))).toEqual({ status: 'invalid' });
    await pruneEmailChanges();
    expect(await db().emailChange.count({ where: { id: change } })).toBe(0);
    expect((await registerAccount(registration, caller)).status).toBe('registered');
    expect(await emailOf(id)).not.toBe(email);
  });

  it('[N2 N4] wants the password, is not for demo accounts, and sends an inbox one mail a minute', async () => {
    const { user, email } = await signedIn();
    const next = newAddress();
    expect((await askEmailChange(user, wish(next, 'wrong'), caller)).status).toBe('wrong');
    expect(await askEmailChange(user, wish(email), caller)).toEqual({ status: 'unchanged' });
    const demo = await signedIn({ isDemo: true });
    expect(await askEmailChange(demo.user, wish(next), caller)).toEqual({ status: 'demo_account' });
    expect((await askEmailChange(user, wish(next), caller)).status).toBe('taken');
    const again = next.replace('@', '+again@');
    expect(await askEmailChange(user, wish(again), caller)).toMatchObject({ status: 'too_soon' });
    let asked = 1;
    while ((await askEmailChange(user, wish(newAddress()), caller)).status === 'taken') asked += 1;
    expect(asked).toBeLessThanOrEqual(6);
  });

  it('[N2] takes the addresses that a registration takes, in small letters', () => {
    const read = (newEmail: unknown) => emailChangeWish.safeParse({ newEmail, currentPassword: 'x' });
    expect(read(' Ann@Example.COM ').data?.newEmail).toBe('ann@example.com');
    for (const address of [
      '',
      'x',
      'аnn@exаmple.com',
      '安@例子.中国',
      'a b@example.com',
      `${'x'.repeat(250)}@x.com`,
      null,
    ])
      expect(read(address).success, String(address)).toBe(false);
  });

  it.each([
    ['goes with it if a thief may have added it', 60_000, null],
    ['stays if it is older', -30 * 3_600_000, expect.any(Date)],
  ] as const)('[N2 N5] stopped by the owner: a second factor %s', async (_, addedMs, stays) => {
    const { id, cookie } = await signedIn();
    const changeId = await ask(cookie, newAddress());
    const createdAt = new Date(Date.now() + addedMs);
    const app = { userId: id, sealedSecret: 'x', keyMark: 'x', createdAt, confirmedAt: createdAt };
    await db().totpFactor.create({ data: app });
    await db().recoveryCode.create({ data: { userId: id, codeHash: 'a'.repeat(64) } });
    await db().user.update({ where: { id }, data: { secondFactorAt: createdAt } });
    expect((await stopEmailChange(signEmailChange('stop', changeId), caller)).status).toBe('stopped');
    expect(await db().user.findUniqueOrThrow({ where: { id } })).toMatchObject({ secondFactorAt: stays });
    const left = stays === null ? 0 : 1;
    expect(await db().totpFactor.count({ where: { userId: id } })).toBe(left);
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(left);
  });

  it('[N2 N5] stopped by the owner: a passkey that a thief may have added goes, an older one stays', async () => {
    const { id, cookie } = await signedIn();
    const changeId = await ask(cookie, newAddress());
    const add = (name: string, addedMs: number) => {
      const createdAt = new Date(Date.now() + addedMs);
      const key = { id: `pk_${name}_${id}`, credentialId: `${name}-${id}`, publicKey: Buffer.alloc(1), name };
      return db().passkey.create({ data: { ...key, userId: id, createdAt, lastChallengeAt: createdAt } });
    };
    await add('owner', -30 * 3_600_000);
    await add('thief', 0);
    await db().recoveryCode.create({ data: { userId: id, codeHash: 'a'.repeat(64) } });
    await db().user.update({ where: { id }, data: { secondFactorAt: new Date() } });
    expect((await stopEmailChange(signEmailChange('stop', changeId), caller)).status).toBe('stopped');
    const left = await db().passkey.findMany({ where: { userId: id } });
    expect(left.map(({ name }) => name)).toEqual(['owner']);
    expect((await db().user.findUniqueOrThrow({ where: { id } })).secondFactorAt).not.toBeNull();
    expect(await db().recoveryCode.count({ where: { userId: id } })).toBe(1);
  });
});
