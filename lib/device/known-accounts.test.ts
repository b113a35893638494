import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

const NOW = 1_800_000_000_000;
const DAY = 24 * 3_600_000;
const [OLD, NEW] = ['old', 'new'].map((name) => `${name}-key-0123456789abcdef0123456789abcdef`) as [
  string,
  string,
];

afterEach(() => vi.unstubAllEnvs());

async function started(settings: Record<string, string> = {}) {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  return import('./known-accounts');
}

const pairOf = (setCookie: string) => setCookie.split(';')[0] as string;

describe('the cookie that says who signed in with this browser', () => {
  it('[N4] knows an account after it signed in, and no other', async () => {
    const { knownAs, rememberAccount } = await started();
    expect(knownAs(null, 'a@example.com')).toBeNull();
    const given = rememberAccount(null, ['a@example.com'], NOW);
    expect(given).toMatch(
      /^seckill-known=[\w-]{16}-20833-[a-z0-9]{12}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
    );
    expect(given).not.toContain('example');
    const cookie = `x=y; ${pairOf(given)}; z=1`;
    const name = knownAs(cookie, 'a@example.com', NOW);
    expect(name).toMatch(/^[a-z0-9]{12}$/);
    expect(knownAs(cookie, 'b@example.com', NOW)).toBeNull();
    const again = pairOf(rememberAccount(cookie, ['a@example.com'], NOW + DAY));
    expect(knownAs(again, 'a@example.com', NOW + DAY)).toBe(name);
    expect(knownAs(pairOf(rememberAccount(null, ['a@example.com'], NOW)), 'a@example.com', NOW)).not.toBe(
      name,
    );
  });

  it('[N4] remembers the ten names that signed in last, for a year each; an account may have two', async () => {
    const { knownAs, rememberAccount } = await started();
    let cookie = '';
    for (let n = 1; n <= 6; n += 1)
      cookie = pairOf(rememberAccount(cookie, [`a${n}@example.com`, `user ${n}`], NOW + n * DAY));
    for (const nameOf of [(n: number) => `a${n}@example.com`, (n: number) => `user ${n}`]) {
      const known = (at: number) => [1, 2, 3, 4, 5, 6].filter((n) => knownAs(cookie, nameOf(n), at) !== null);
      expect(known(NOW + 7 * DAY)).toEqual([2, 3, 4, 5, 6]);
      expect(known(NOW + 369 * DAY)).toEqual([4, 5, 6]);
    }
  });

  it('[N4] over https is bound to this host', async () => {
    const { rememberAccount } = await started({
      NEXTAUTH_URL: 'https://shop.example.com',
      SECKILL_DEMO: '0',
    });
    expect(rememberAccount(null, ['a@example.com'])).toMatch(
      /^__Host-seckill-known=.*; SameSite=Lax; Secure$/,
    );
  });

  it('[N4] with any character changed, or made up, knows nobody', async () => {
    const { knownAs, rememberAccount } = await started();
    const cookie = pairOf(rememberAccount(null, ['a@example.com'], NOW));
    for (let at = cookie.indexOf('=') + 1; at < cookie.length; at += 1) {
      const other = cookie[at] === 'a' ? 'b' : 'a';
      expect(knownAs(cookie.slice(0, at) + other + cookie.slice(at + 1), 'a@example.com', NOW)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(knownAs(`seckill-known=${text}`, 'a@example.com', NOW)).toBeNull();
      }),
    );
    expect(knownAs(`seckill-known=${'x'.repeat(100_000)}`, 'a@example.com', NOW)).toBeNull();
    // As many characters as our cookie has, but more bytes: browsers send whatever any page of the host has set.
    expect(knownAs(`seckill-known=${'é'.repeat(80)}`, 'a@example.com', NOW)).toBeNull();
  });

  it('[N4] outlives a rotation of keys', async () => {
    const before = await started({ ENTRY_SECRET: OLD });
    const cookie = pairOf(before.rememberAccount(null, ['a@example.com'], NOW));
    const during = await started({ ENTRY_SECRET: `${NEW},${OLD}` });
    const name = during.knownAs(cookie, 'a@example.com', NOW);
    expect(name).not.toBeNull();
    const renewed = pairOf(during.rememberAccount(cookie, ['a@example.com'], NOW));
    const after = await started({ ENTRY_SECRET: NEW });
    expect(after.knownAs(cookie, 'a@example.com', NOW)).toBeNull();
    expect(after.knownAs(renewed, 'a@example.com', NOW)).toBe(name);
  });
});
