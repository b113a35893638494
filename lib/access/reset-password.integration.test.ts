import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { POST as postForgot } from '@/app/api/password/forgot/route';
import { GET as getReset, POST as postReset } from '@/app/api/password/reset/route';
import { userOfSession } from '@/lib/account/current-user';
import { RESET_LIFETIME_MS, signReset } from '@/lib/account/reset-token';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { takeEvents } from '@/lib/security/note-event';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { askPasswordReset } from './ask-password-reset';
import { resetPassword } from './reset-password';
import { signIn } from './sign-in';

const NEXT = 'quite another one';
const at = (address: string | null) => ({ address, headers: new Headers() });
const caller = at(null);

const mails = keepMailsApart();
afterAll(() => Promise.all([closeRedis(), closeDb()]));
beforeEach(() => cacheRedis().flushdb());

const newAccount = async (data: object = {}) =>
  db().user.update({ where: { id: (await makeAccount()).id }, data });

/** Waits for the mail that an account asked for, and returns it. */
const mailOf = (userId: string) => mails.only(`reset-${userId}`);

const reset = (token: string, newPassword = NEXT, by = caller) => resetPassword({ token, newPassword }, by);

describe('a forgotten password', () => {
  it('[N2 N3] is replaced by the link of the mail, once; every session ends, and the owner is told', async () => {
    const { id, email } = await newAccount();
    const cookie = await sessionOf(id);
    expect(await askPasswordReset(email, caller)).toEqual({ status: 'taken' });
    const mail = await mailOf(id);
    expect(mail).toContain(`To: ${email}`);
    const token = /reset-password#([\w.-]+)/.exec(mail)?.[1] ?? '';
    expect(await userOfSession(cookie)).not.toBeNull();
    expect(await reset(token)).toEqual({ status: 'reset', email });
    expect(await userOfSession(cookie)).toBeNull();
    expect((await signIn({ email, password: PASSWORD }, caller)).status).toBe('wrong');
    expect((await signIn({ email, password: NEXT }, caller)).status).toBe('signed_in');
    expect(await reset(token, 'a third one')).toEqual({ status: 'invalid' });
    expect(await db().auditEntry.findMany({ where: { subjectId: id } })).toMatchObject([
      { action: 'user.reset_password', actorId: id, before: null, after: null },
    ]);
    expect(takeEvents(Date.now(), true).filter(({ subject }) => subject.id === id)).toContainEqual(
      expect.objectContaining({ action: 'password.ask_reset' }),
    );
    await mails.only(`passwordChanged-${id}`);
  });

  it('[N2 I3] is asked for and replaced in the language of the account', async () => {
    const { id, email } = await newAccount({ locale: 'zh-CN' });
    await askPasswordReset(email, caller);
    expect(await mailOf(id)).toContain('/zh-CN/reset-password#');
  });

  it('[N2] of two who use the link at once one succeeds', async () => {
    const link = signReset(await newAccount());
    const results = await Promise.all([reset(link, 'first new one'), reset(link, 'second one')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['invalid', 'reset']);
  });

  it('[N2] tells nobody who has an account: the same answer, and no mail to strangers, banned and demo accounts', async () => {
    const [banned, demo] = [await newAccount({ bannedAt: new Date() }), await newAccount({ isDemo: true })];
    const known = await newAccount();
    const ask = async (email: string) => {
      const answer = await callWith(null, postForgot, { method: 'POST', body: { email } });
      return [answer.status, await answer.text()];
    };
    for (const { email } of [banned, demo, { email: 'nobody@example.com' }, known])
      expect(await ask(email)).toEqual([202, '{"taken":true}']);
    await mailOf(known.id);
    expect([
      ...(await mails.named(`reset-${banned.id}`)),
      ...(await mails.named(`reset-${demo.id}`)),
    ]).toEqual([]);
    expect(await reset(signReset(banned))).toEqual({ status: 'invalid' });
    expect(await reset(signReset(demo))).toEqual({ status: 'invalid' });
  });

  it('[N2] is asked for without waiting for the database or the mail', async () => {
    const { email, id } = await newAccount();
    const found = vi.spyOn(db().user, 'findUnique').mockReturnValue(new Promise(() => {}) as never);
    try {
      expect(await askPasswordReset(email, caller)).toEqual({ status: 'taken' });
    } finally {
      found.mockRestore();
    }
    expect(await mails.named(`reset-${id}`)).toEqual([]);
  });

  it('[N2] a mail that could not be sent may be asked for again at once', async () => {
    const { email, id } = await newAccount();
    const failed = vi.spyOn(db().user, 'findUnique').mockRejectedValue(new Error('no database') as never);
    await askPasswordReset(email, caller);
    failed.mockRestore();
    await expect
      // Less than the minute that a mail would have cost.
      .poll(async () => (await askPasswordReset(email, caller)).status, { timeout: 50_000 })
      .toBe('taken');
    await mailOf(id);
  });

  it('[N2 N4] an address gets one mail a minute, and no stranger’s spelling of it costs its owner one; a flood of addresses waits', async () => {
    const { id, email } = await newAccount();
    const ask = async (spelling: string) => (await askPasswordReset(spelling, caller)).status;
    const strange = email.replace('@', '+x@');
    expect([await ask(strange), await ask(strange)]).toEqual(['taken', 'too_soon']);
    expect((await Promise.all([ask(email), ask(email)])).sort()).toEqual(['taken', 'too_soon']);
    await mailOf(id);
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, nth) => askPasswordReset(`nobody${nth}@example.com`, at('203.0.113.7'))),
    );
    expect(asked.map(({ status }) => status)).toContain('too_soon');
  });

  it('[N2] only a fresh link for this very account and password works; every other one gets one clear answer', async () => {
    const [user, other] = [await newAccount(), await newAccount()];
    const good = signReset(user);
    const [, expiry, signature] = good.split('.');
    const wrong = [
      '',
      'x',
      '\u{1f511}',
      'x'.repeat(10_000),
      `${good}x`,
      `${other.id}.${expiry}.${signature}`,
      `${user.id}.${Number(expiry) + 1}.${signature}`,
      signReset(user, Date.now() - RESET_LIFETIME_MS),
      signReset({ ...user, sessionVersion: 7 }),
      signReset({ ...user, email: 'other@example.com' }),
      signReset({ ...user, passwordHash: '!' }),
    ];
    for (const token of wrong) {
      const answer = await callWith(null, postReset, { method: 'POST', body: { token, newPassword: NEXT } });
      expect([answer.status, (await answer.json()).code], token.slice(0, 99)).toEqual([410, 'RESET_INVALID']);
    }
    expect((await callWith(null, getReset, { query: { token: good } })).status).toBe(405);
    await db().user.update({ where: { id: user.id }, data: { sessionVersion: { increment: 1 } } });
    expect(await reset(good)).toEqual({ status: 'invalid' });
  });

  it('[N2] a password that others would try first is refused, as often as it takes, and the link stays good', async () => {
    const user = await newAccount();
    const link = signReset(user);
    for (let nth = 0; nth < 9; nth += 1)
      for (const easy of ['iloveyou', user.email, 'abcdefgh'])
        expect(await reset(link, easy, at('203.0.113.9')), easy).toEqual({ status: 'guessable' });
    expect((await reset(link, NEXT, at('203.0.113.9'))).status).toBe('reset');
  });

  it('[N4] wrong links cost waits, and make nobody else wait', async () => {
    const tries = await Promise.all(Array.from({ length: 21 }, () => reset('x', NEXT, at('203.0.113.8'))));
    expect(tries.filter(({ status }) => status === 'invalid')).toHaveLength(20);
    const token = signReset(await newAccount());
    expect((await reset(token)).status).toBe('reset');
  });
});
