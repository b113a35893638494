import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword } from '@/lib/account/hash-password';
import { closeDb, db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { readSignIns } from '@/lib/metrics/sign-in-meter';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { takeEvents } from '@/lib/security/note-event';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { signIn } from './sign-in';

const STRANGER = '203.0.113.66';
const OWN = '198.51.100.7';
const at = (address: string | null, cookie = '') => ({
  address,
  headers: new Headers(cookie ? { cookie } : {}),
});

beforeEach(async () => {
  await cacheRedis().flushdb();
  takeEvents(0, true);
});
afterAll(() => Promise.all([closeRedis(), closeDb()]));

/** Guesses until the answer is to wait. @returns how many passwords were tried */
async function guess(email: string, address: string | null, times: number): Promise<number> {
  for (let tried = 0; tried < times; tried += 1) {
    const { status } = await signIn({ email, password: `wrong ${tried}` }, at(address));
    if (status !== 'wrong') return tried;
  }
  return times;
}

/** Signs in with the owner's browser, which is known from then on. */
async function known(email: string, address = OWN): Promise<string> {
  const result = await signIn({ email, password: PASSWORD }, at(address));
  if (result.status !== 'signed_in') throw new Error(result.status);
  return result.setCookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

describe('failures to sign in', () => {
  it('[N4] cost whoever makes them growing waits: thirty guesses in a row are five', async () => {
    const { email } = await makeAccount();
    expect(await guess(email, STRANGER, 30)).toBe(5);
    const waits: number[] = [];
    while (waits.length < 3) {
      const result = await signIn({ email, password: 'wrong' }, at(STRANGER));
      if (result.status !== 'limited') continue;
      waits.push(result.waitMs);
      await new Promise((resolve) => setTimeout(resolve, result.waitMs));
    }
    // Each wait is at least twice the one before, less the time the request took.
    expect(waits.map((waitMs) => Math.ceil(waitMs / 1_000))).toEqual([1, 2, 4]);
  });

  it('[N4] at the same time are no more than one after the other', async () => {
    const { email } = await makeAccount();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => signIn({ email, password: `wrong ${n}` }, at(STRANGER))),
    );
    expect(all.filter(({ status }) => status === 'wrong').length).toBeLessThanOrEqual(5);
    expect(all.some(({ status }) => status === 'signed_in')).toBe(false);
  });

  it('[N4] of strangers never keep the owner out, neither at home nor, with a browser that is known, beside them', async () => {
    const { email } = await makeAccount();
    const cookie = await known(email);
    for (let n = 0; n < 20; n += 1) await guess(email, `203.0.113.${n}`, 6);
    await guess(email, STRANGER, 6);
    for (const caller of [at(OWN), at('2001:db8::1'), at(STRANGER, cookie), at(null, cookie)])
      expect(await signIn({ email, password: PASSWORD }, caller)).toMatchObject({ status: 'signed_in' });
  });

  it('[N4] from an address of IPv6 count with all of its /64', async () => {
    const { email } = await makeAccount();
    let tried = 0;
    while ((await guess(email, `2001:db8:0:7::${tried + 1}`, 1)) === 1) tried += 1;
    expect(tried).toBe(5);
    expect(await guess(email, '2001:db8:0:8::1', 1)).toBe(1);
  });

  it('[N4] from one address on many accounts are few; those who know their password at once are many', async () => {
    const accounts = await Promise.all(Array.from({ length: 30 }, () => makeAccount()));
    const office = await Promise.all(
      // Tries again as our pages do when they are told to come back in a moment.
      accounts.map(async ({ email }) => {
        for (;;) {
          const { status } = await signIn({ email, password: PASSWORD }, at(OWN));
          if (status !== 'busy') return status;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }),
    );
    expect(new Set(office)).toEqual(new Set(['signed_in']));
    let tried = 0;
    while ((await guess(accounts[tried]?.email ?? '', STRANGER, 1)) === 1) tried += 1;
    expect(tried).toBe(10);
  });

  it('[N4] are forgotten by whoever gets it right, and by nobody else', async () => {
    const { email } = await makeAccount();
    expect(await guess(email, STRANGER, 4)).toBe(4);
    expect(await guess(email, OWN, 4)).toBe(4);
    expect((await signIn({ email, password: PASSWORD }, at(OWN))).status).toBe('signed_in');
    expect(await guess(email, OWN, 4)).toBe(4);
    expect(await guess(email, STRANGER, 4)).toBe(1);
  });

  it('[N4] of an account that does not exist are limited and answered the same', async () => {
    const nobody = 'nobody-at-all@example.com';
    expect(await guess(nobody, STRANGER, 10)).toBe(5);
  });

  it('[N4] leave no address in Redis that can be read', async () => {
    const { email } = await makeAccount();
    await guess(email, STRANGER, 2);
    const keys = await cacheRedis().keys('tries:*');
    expect(keys.length).toBeGreaterThan(2);
    const all = `${keys.join()} ${(await cacheRedis().mget(keys)).join()}`;
    expect(all).not.toContain(STRANGER);
    expect(all).not.toContain(email.split('@')[0]);
  });

  it('[N4 G14] are counted in this process while Redis is away', async () => {
    const { email } = await makeAccount();
    const settings = env();
    const { cacheRedisUrl, redisUrl } = settings;
    await closeRedis();
    Object.assign(settings, { cacheRedisUrl: 'redis://127.0.0.1:1/0', redisUrl: 'redis://127.0.0.1:1/0' });
    try {
      expect(await guess(email, STRANGER, 12)).toBe(5);
      expect((await signIn({ email, password: PASSWORD }, at(OWN))).status).toBe('signed_in');
    } finally {
      await closeRedis();
      Object.assign(settings, { cacheRedisUrl, redisUrl });
      // The test leaves Redis alone for a moment.
      await vi.waitFor(
        async () => {
          await guess('anybody@example.com', OWN, 1);
          expect(await cacheRedis().keys('tries:*')).not.toEqual([]);
        },
        { timeout: 20_000 },
      );
    }
  });
});

describe('an account under attack', () => {
  it('[N9] is an entry in the log and an alert’s figure, once; unknown devices have fewer free tries', async () => {
    const { id, email } = await makeAccount();
    const before = readSignIns().attacked;
    for (let n = 0; n < 4; n += 1) expect(await guess(email, `203.0.113.${n}`, 5)).toBe(5);
    expect(readSignIns().attacked).toBe(before + 1);
    expect(await guess(email, '203.0.113.99', 5)).toBe(2);
    const events = takeEvents(0, true);
    expect(events.filter(({ action }) => action === 'account.attack')).toMatchObject([
      { subject: { kind: 'user', id }, count: 1 },
    ]);
    const failures = events.filter(({ action }) => action === 'session.refuse');
    expect(failures).toHaveLength(5);
    expect(failures[0]).toMatchObject({ subject: { id }, facts: { address: '203.0.113.0' }, count: 5 });
  });
});

describe('passwords being checked', () => {
  it('[N4] beyond what can be waited for are said to be so, and nothing is counted against anybody', async () => {
    const { email } = await makeAccount();
    const office = Array.from({ length: 50 }, () => hashPassword('x', { address: STRANGER }));
    expect((await signIn({ email, password: PASSWORD }, at(STRANGER))).status).toBe('busy');
    expect((await signIn({ email, password: PASSWORD }, at(OWN))).status).toBe('signed_in');
    await Promise.all(office);
    expect(await guess(email, STRANGER, 6)).toBe(5);
  });

  it('[N4] leave places for those whose browser is known when strangers fill the queue', async () => {
    const { email } = await makeAccount();
    const cookie = await known(email);
    // Strangers who try again as soon as there is a free place.
    const flood = setInterval(() => {
      for (let n = 0; n < 200; n += 1) hashPassword('x', { address: null }).catch(() => {});
    }, 1);
    try {
      await vi.waitFor(
        async () => expect((await signIn({ email, password: PASSWORD }, at(STRANGER))).status).toBe('busy'),
        { timeout: 60_000 },
      );
      expect((await signIn({ email, password: PASSWORD }, at(OWN, cookie))).status).toBe('signed_in');
    } finally {
      clearInterval(flood);
    }
    // The queue gets empty, and strangers get in again.
    await vi.waitFor(
      async () => expect((await signIn({ email, password: PASSWORD }, at(OWN))).status).toBe('signed_in'),
      { timeout: 60_000, interval: 200 },
    );
  });
});

describe('demo accounts', () => {
  it('[N7] outside the demo are answered as a wrong password is', async () => {
    const { id, email } = await makeAccount('admin');
    await db().user.update({ where: { id }, data: { isDemo: true } });
    expect((await signIn({ email, password: PASSWORD }, at(OWN))).status).toBe('signed_in');
    const settings = env();
    settings.isDemo = false;
    try {
      expect(await signIn({ email, password: PASSWORD }, at(OWN))).toEqual({ status: 'wrong' });
    } finally {
      settings.isDemo = true;
    }
  });
});
