import { afterAll, describe, expect, it } from 'vitest';
import { signVerification } from '@/lib/account/verification-token';
import { verifyEmail } from '@/lib/account/verify-email';
import { closeDb, db } from '@/lib/db/client';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeUser } from '@/test/support/make-sale';
import { sendVerification } from './send-verification';

const DAY = 24 * 3_600_000;

const mails = keepMailsApart();
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function newUser() {
  const { userId } = await makeUser();
  return { userId, email: `${userId}@example.com`, locale: 'en' as const };
}

const mailOf = (userId: string) => mails.only(`verify-${userId}-`);

const isVerified = async (userId: string) =>
  (await db().user.findUniqueOrThrow({ where: { id: userId } })).emailVerifiedAt !== null;

describe('verifying an e-mail address', () => {
  it('[G6] the mail goes to the address, its link verifies it, again too, and nobody else', async () => {
    const [user, other] = [await newUser(), await newUser()];
    expect(await sendVerification(user)).toEqual({ status: 'sent' });
    const mail = await mailOf(user.userId);
    expect(mail).toContain(`To: ${user.email}`);
    const [, token = ''] = /verify-email#([\w.-]+)/.exec(mail) ?? [];
    expect(await verifyEmail(token)).toBe('verified');
    expect(await isVerified(user.userId)).toBe(true);
    expect(await verifyEmail(token)).toBe('verified');
    expect(await isVerified(other.userId)).toBe(false);
  });

  it('[G6 I3] is in the language of the account, and leads to the page in that language', async () => {
    const user = await newUser();
    await sendVerification({ ...user, locale: 'zh-CN' });
    const mail = await mailOf(user.userId);
    expect(mail).toMatch(/\/zh-CN\/verify-email#[\w.-]+/);
    expect(mail).not.toContain('Somebody');
  });

  it('[G6] is sent at most once a minute, also to many who ask at once, then again', async () => {
    const user = await newUser();
    const results = await Promise.all(Array.from({ length: 20 }, () => sendVerification(user)));
    expect(results.filter(({ status }) => status === 'sent')).toHaveLength(1);
    for (const result of results) {
      if (result.status !== 'too_soon') continue;
      expect(result.retryAfterMs).toBeGreaterThan(0);
      expect(result.retryAfterMs).toBeLessThanOrEqual(60_000);
    }
    expect(await mails.named(`verify-${user.userId}-`)).toHaveLength(1);
    await cacheRedis().flushdb();
    expect(await sendVerification(user)).toEqual({ status: 'sent' });
  });

  it('[O7] an address that is verified counts as reached, even if mails had come back', async () => {
    const user = await newUser();
    await db().user.update({ where: { id: user.userId }, data: { mailRefusedAt: new Date() } });
    expect(await verifyEmail(signVerification(user))).toBe('verified');
    const { mailRefusedAt } = await db().user.findUniqueOrThrow({ where: { id: user.userId } });
    expect(mailRefusedAt).toBeNull();
  });

  it('[N4] is sent to one inbox once a minute, whoever names it in other spellings; those cost its own spelling nothing', async () => {
    const at = async (email: string) => (await sendVerification({ ...(await newUser()), email })).status;
    expect(await at('ann.lee@gmail.com')).toBe('sent');
    for (const spelling of ['ann.lee+x@googlemail.com', 'a.n.n.l.e.e+y+z@gmail.com'])
      expect(await at(spelling)).toBe('too_soon');
    expect(await at('annlee@gmail.com')).toBe('sent');
    expect([await at('lee+1@example.com'), await at('lee+2@example.com')]).toEqual(['sent', 'too_soon']);
    expect(await at('lee@example.com')).toBe('sent');
  });

  it('[N4] from one address is sent twenty times at once, then with growing waits', async () => {
    const ask = async (n: number) =>
      (await sendVerification({ ...(await newUser()), email: `from${n}@example.com` }, '203.0.113.9')).status;
    let sent = 0;
    while ((await ask(sent)) === 'sent') sent += 1;
    // Where a machine stands still a short wait may pass meanwhile.
    expect(sent).toBeGreaterThanOrEqual(20);
    expect(sent).toBeLessThan(27);
  });

  it('[N4] one inbox verifies one account, however many name it', async () => {
    const spellings = ['one.inbox@gmail.com', 'oneinbox+a@gmail.com', 'one.inbox@googlemail.com'];
    const tokens = await Promise.all(
      spellings.map(async (email) => {
        const { userId } = await makeUser();
        await db().user.update({ where: { id: userId }, data: { email } });
        return signVerification({ userId, email });
      }),
    );
    const results = await Promise.all(tokens.map((token) => verifyEmail(token)));
    expect(results.sort()).toEqual(['inbox_taken', 'inbox_taken', 'verified']);
  });

  it('[G6] a token that is altered, old, of another address or nonsense verifies nothing', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const good = signVerification(user);
    const wrong = [
      signVerification(user, Date.now() - DAY - 1),
      signVerification({ ...user, email: other.email }),
      good.replace(user.userId, other.userId),
      good.replace(/\.(\d+)\./, (_, expiry) => `.${Number(expiry) + 1}.`),
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      good.slice(0, -1),
      `${good}A`,
      '',
      '.',
      '..',
      'a.b.c',
      'x'.repeat(300),
    ];
    for (const token of wrong) expect(await verifyEmail(token), token).toBe('invalid');
    expect([await isVerified(user.userId), await isVerified(other.userId)]).toEqual([false, false]);
    await db().user.update({ where: { id: user.userId }, data: { email: `new-${user.email}` } });
    expect(await verifyEmail(good)).toBe('invalid');
  });
});
