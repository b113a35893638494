import fc from 'fast-check';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { inboxOf } from '@/lib/account/inbox-of';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { registerAccount } from './register-account';

beforeEach(() => cacheRedis().flushdb());
afterAll(() => Promise.all([closeRedis(), closeDb()]));

const register = (address: string | null) =>
  registerAccount(
    { email: `${newId('r')}@example.com`, password: 'long enough', name: 'x', locale: 'en' },
    { address, headers: new Headers() },
  );

it('[N4] an address registers twenty accounts, then waits longer each time; other addresses and this machine do not', async () => {
  let made = 0;
  let result = await register('203.0.113.5');
  for (; result.status === 'registered' && made < 30; made += 1) result = await register('203.0.113.5');
  expect(result).toEqual({ status: 'limited', waitMs: expect.any(Number) });
  // Tries fade, and hashing as many passwords may take a busy machine longer than that.
  expect(made).toBeGreaterThanOrEqual(20);
  expect((await register('203.0.113.6')).status).toBe('registered');
  for (let n = 0; n < 22; n += 1) expect((await register('127.0.0.1')).status).toBe('registered');
});

it('[N2] refuses a password that others would try first, and does not count that try', async () => {
  const caller = { address: '203.0.113.9', headers: new Headers() };
  const email = `${newId('r')}@example.com`;
  const registered = (password: string) =>
    registerAccount({ email, password, name: 'Ann Miller', locale: 'en' }, caller);
  for (let n = 0; n < 25; n += 1) expect(await registered('password123')).toEqual({ status: 'guessable' });
  expect(await registered('Ann Miller 1')).toEqual({ status: 'guessable' });
  expect((await registered('long enough')).status).toBe('registered');
});

it('[N4] an inbox is spelled alike here and in the database, however its address is spelled', async () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9.+_-]{1,12}$/);
  const host = fc.constantFrom('gmail.com', 'GoogleMail.com', 'example.com', 'Sub.Example.org', 'xgmail.com');
  const emails = fc.sample(
    fc.tuple(part, host).map((parts) => parts.join('@')),
    500,
  );
  emails.push('a@b@gmail.com', 'no-at', '@gmail.com', 'x+@gmail.com');
  const rows = await db().$queryRaw<{ email: string; inbox: string }[]>`
    SELECT email, inbox_of(email) AS inbox FROM unnest(${emails}::text[]) AS email`;
  for (const { email, inbox } of rows.filter(({ email: each }) => each.includes('@')))
    expect(inbox, email).toBe(inboxOf(email));
  expect(inboxOf('A.n.n+shop@googlemail.com')).toBe('ann@gmail.com');
  expect(inboxOf('A.n.n+shop@example.com')).toBe('a.n.n@example.com');
});
