import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { userOfSession } from '@/lib/account/current-user';
import { RESET_LIFETIME_MS, readReset, signReset } from '@/lib/account/reset-token';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { lengthenWaits } from '@/test/support/lengthen-waits';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { askPasswordReset } from './ask-password-reset';
import { resetPassword } from './reset-password';
import { signIn } from './sign-in';

const NEXT = 'quite another one';
const caller = { address: null, headers: new Headers() };

const mailDir = keepMailsApart();
lengthenWaits();
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
});
beforeEach(async () => {
  await cacheRedis().flushall();
});

async function newAccount(data: object = {}) {
  const { id } = await makeAccount();
  return { ...(await db().user.update({ where: { id }, data })), userId: id };
}

const mails = async (start: string) => (await readdir(mailDir.path)).filter((name) => name.startsWith(start));
async function tokenOf(userId: string): Promise<string> {
  await expect.poll(() => mails(`reset-${userId}`)).toHaveLength(1);
  const mail = await readFile(join(mailDir.path, `reset-${userId}.eml`), 'utf8');
  return /reset-password#([\w.-]+)/.exec(mail.replaceAll(/=\r?\n/g, ''))?.[1] ?? '';
}
const reset = (token: string, newPassword = NEXT) => resetPassword({ token, newPassword }, caller);

describe('a forgotten password', () => {
  it('[N2 N3] is replaced by the link of the mail, once; every session ends, and the owner is told', async () => {
    const { id, email } = await newAccount();
    const cookie = await sessionOf(id);
    expect(await askPasswordReset(email, caller)).toEqual({ status: 'taken' });
    const token = await tokenOf(id);
    expect(await userOfSession(cookie)).not.toBeNull();
    expect(await reset(token)).toEqual({ status: 'reset', email });
    expect(await userOfSession(cookie)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect((await signIn({ email, password: NEXT }, caller)).status).toBe('signed_in');
    expect(await reset(token, 'a third one')).toEqual({ status: 'invalid' });
    expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
      { action: 'user.reset_password', actorId: id },
    ]);
    await expect.poll(() => mails(`password-${id}`)).toHaveLength(1);
  });

  it('[N2] of two who use the link at once one succeeds', async () => {
    const user = await newAccount();
    const results = await Promise.all([
      reset(signReset(user), 'first new one'),
      reset(signReset(user), 'second one'),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['invalid', 'reset']);
  });

  it('[N2] tells nobody who has an account: the same answer, and no mail to strangers, banned and demo accounts', async () => {
    const [banned, demo] = [await newAccount({ bannedAt: new Date() }), await newAccount({ isDemo: true })];
    const known = await newAccount();
    for (const { email } of [banned, demo, known, { email: 'nobody@example.com' }])
      expect(await askPasswordReset(email, caller)).toEqual({ status: 'taken' });
    await tokenOf(known.id);
    expect([...(await mails(`reset-${banned.id}`)), ...(await mails(`reset-${demo.id}`))]).toEqual([]);
    expect(await reset(signReset(banned))).toEqual({ status: 'invalid' });
    expect(await reset(signReset(demo))).toEqual({ status: 'invalid' });
  });

  it('[N2 N4] an inbox gets one mail a minute, whoever asks, in whatever spelling; a flood of addresses waits', async () => {
    const { email, id } = await newAccount();
    const [name, host] = email.split('@');
    const results = await Promise.all(
      [email, email, `${name}+x@${host}`].map((spelling) => askPasswordReset(spelling, caller)),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['taken', 'too_soon', 'too_soon']);
    expect(id).toBeTruthy();
    const flood = { address: '203.0.113.7', headers: new Headers() };
    const statuses = new Set<string>();
    for (let nth = 0; nth < 30; nth += 1)
      statuses.add((await askPasswordReset(`nobody${nth}@example.com`, flood)).status);
    expect(statuses).toContain('too_soon');
  });

  it('[N2] nothing but a fresh link of this very account and password works', async () => {
    const [user, other] = [await newAccount(), await newAccount()];
    const good = signReset(user);
    const [, expiry, signature] = good.split('.');
    const wrong = [
      '',
      'x',
      'x'.repeat(300),
      `${good}x`,
      `${other.id}.${expiry}.${signature}`,
      `${user.id}.${Number(expiry) + 1}.${signature}`,
      signReset(user, Date.now() - RESET_LIFETIME_MS),
      signReset({ ...user, sessionVersion: 7 }),
      signReset({ ...user, email: 'other@example.com' }),
      signReset({ ...user, passwordHash: '!' }),
    ];
    for (const token of wrong) expect((await reset(token)).status, token).toBe('invalid');
    expect(readReset(good)?.userId).toBe(user.id);
    await db().user.update({ where: { id: user.id }, data: { sessionVersion: { increment: 1 } } });
    expect(await reset(good)).toEqual({ status: 'invalid' });
  });

  it('[N2] a password that others would try first is refused, and the link stays good', async () => {
    const user = await makeAccount();
    const link = signReset({ ...user, userId: user.id });
    expect(await resetPassword({ token: link, newPassword: 'iloveyou' }, caller)).toEqual({
      status: 'guessable',
    });
    expect(await resetPassword({ token: link, newPassword: user.email }, caller)).toEqual({
      status: 'guessable',
    });
    expect((await resetPassword({ token: link, newPassword: NEXT }, caller)).status).toBe('reset');
  });

  it('[N4] whoever tries wrong links waits longer and longer; a good link is refused meanwhile, and good afterwards', async () => {
    const flood = { address: '203.0.113.8', headers: new Headers() };
    let tried = 0;
    let result = await resetPassword({ token: 'x', newPassword: NEXT }, flood);
    for (; result.status === 'invalid'; tried += 1)
      result = await resetPassword({ token: 'x', newPassword: NEXT }, flood);
    expect(result).toMatchObject({ status: 'limited' });
    expect(tried).toBe(20);
    const token = signReset(await newAccount());
    expect((await resetPassword({ token, newPassword: NEXT }, flood)).status).toBe('limited');
    expect((await reset(token)).status).toBe('reset');
  });
});
