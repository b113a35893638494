import pLimit from 'p-limit';
import { afterAll, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { makeAccount, PASSWORD } from '@/test/support/make-account';
import { signIn } from './sign-in';

const ACCOUNTS = 1_000;
const PASSWORDS = 10;
const ADDRESSES = 500;
const AT_ONCE = 20;
/** A busy machine checks few passwords a second. */
const TIMEOUT_MS = 900_000;
/**
 * The number of failures by strangers after which the shop counts as under attack, and how many free failures an
 * address then has.
 */
const UNTIL_NOTICED = 200;
const FREE = 3;

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const at = (address: string, cookie = '') => ({ address, headers: new Headers(cookie ? { cookie } : {}) });

/** Waits as our pages do when the shop answers that it is busy. */
async function signInAsPage(email: string, caller: ReturnType<typeof at>) {
  for (;;) {
    const result = await signIn({ email, password: PASSWORD }, caller);
    if (result.status !== 'busy') return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

it(
  '[N4] ten passwords for each of a thousand accounts from five hundred addresses: few are tried, every owner gets in',
  async () => {
    await cacheRedis().flushdb();
    const { passwordHash } = await makeAccount();
    const emails = Array.from({ length: ACCOUNTS }, () => `${newId('v')}@example.com`);
    await db().user.createMany({
      data: emails.map((email) => ({ id: newId('user'), email, name: 'x', passwordHash })),
    });
    const owners = await Promise.all(
      emails.slice(0, 20).map(async (email, n) => {
        const first = await signInAsPage(email, at(`198.51.100.${n}`));
        if (first.status !== 'signed_in') throw new Error(first.status);
        return { email, cookie: first.setCookies.map((each) => each.split(';')[0]).join('; '), n };
      }),
    );

    const limit = pLimit(AT_ONCE);
    let tried = 0;
    const beganAt = performance.now();
    const attack = Promise.all(
      Array.from({ length: ACCOUNTS * PASSWORDS }, (_, n) =>
        limit(async () => {
          const email = emails[n % ACCOUNTS] ?? '';
          // Each guess at an account comes from another address, as with attackers who rent many.
          const nr = (n * 7 + Math.floor(n / ACCOUNTS) * 131) % ADDRESSES;
          const address = `203.0.${Math.floor(nr / 250)}.${nr % 250}`;
          const { status } = await signIn({ email, password: `guess ${n}` }, at(address));
          if (status === 'wrong') tried += 1;
        }),
      ),
    );
    const welcomed: { status: string; tookMs: number }[] = [];
    let isOver = false;
    const visits = (async () => {
      while (!isOver) {
        for (const { email, cookie, n } of owners) {
          // The owner at home; with a known browser beside an attacker; with a new browser somewhere else.
          for (const caller of [at(`198.51.100.${n}`), at('203.0.0.7', cookie), at(`192.0.2.${n}`)]) {
            const from = performance.now();
            const { status } = await signInAsPage(email, caller);
            welcomed.push({ status, tookMs: performance.now() - from });
          }
        }
      }
    })();
    await attack;
    const tookSec = (performance.now() - beganAt) / 1_000;
    isOver = true;
    await visits;

    // After its free failures an address waits 1, 2, 4 … s for each further one.
    const most = UNTIL_NOTICED + AT_ONCE + ADDRESSES * (FREE + Math.ceil(Math.log2(tookSec + 1)));
    expect(tried).toBeGreaterThan(UNTIL_NOTICED);
    expect(tried).toBeLessThanOrEqual(most);
    expect(welcomed.length).toBeGreaterThan(50);
    expect(welcomed.filter(({ status }) => status !== 'signed_in')).toEqual([]);
    expect(Math.max(...welcomed.map(({ tookMs }) => tookMs))).toBeLessThan(60_000);
  },
  TIMEOUT_MS,
);
