import { createHmac } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeDeviceCookie } from '@/lib/device/device-cookie';
import { rememberAccount } from '@/lib/device/known-accounts';
import { env } from '@/lib/env';
import { callNextAuth } from '../call-next-auth';
import { signVerification } from '../verification-token';
import { claimsOf, forgetSessionCookie, readSessionToken, signSession } from './session-token';

const USER = { id: 'user_1', email: 'a@example.com', name: 'A', role: 'shopper', level: 0 };
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the session cookie', () => {
  it('[N8] is sealed by AES-256-GCM: no other algorithm is taken, and nothing can be read or altered', async () => {
    const cookie = await signSession(claimsOf(USER, 's1'));
    const [header = '', ...rest] = cookie.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'dir', enc: 'A256GCM' });
    expect(Buffer.from(rest.join(''), 'base64url').toString('latin1')).not.toContain('user_1');
    expect(await readSessionToken(cookie)).toMatchObject({ sub: 'user_1', sid: 's1' });
    for (let at = 0; at < cookie.length; at += 1) {
      // The last character of a part holds bits that don't count, so changing it may change nothing.
      if ((cookie[at + 1] ?? '.') === '.' || cookie[at] === '.') continue;
      const other = cookie[at] === 'A' ? 'B' : 'A';
      expect(
        await readSessionToken(cookie.slice(0, at) + other + cookie.slice(at + 1)),
        String(at),
      ).toBeNull();
    }
  });

  it('[N8] is nothing that is unsigned, signed otherwise, brings its own key, or has run out', async () => {
    const [secret] = env().nextAuthSecrets;
    const claims = { ...claimsOf(USER, 's1'), exp: 4_000_000_000 };
    const signed = (header: object) => {
      const text = `${base64(header)}.${base64(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url') };
    const forged = [
      `${base64({ alg: 'none' })}.${base64(claims)}.`,
      `${base64({ alg: 'dir', enc: 'none' })}..${base64(claims)}..`,
      signed({ alg: 'HS256' }),
      signed({ alg: 'HS256', jwk }),
      signed({ alg: 'HS256', jku: 'https://evil.test/keys' }),
      await encode({ token: claimsOf(USER, 's1'), secret, maxAge: -60 }),
      await encode({ token: claimsOf(USER, 's1'), secret: `${secret}x` }),
    ];
    for (const cookie of forged) expect(await readSessionToken(cookie), cookie.slice(0, 40)).toBeNull();
  });

  it('[N8] is no other token of ours', async () => {
    const others = [
      signVerification({ userId: USER.id, email: USER.email }),
      rememberAccount(null, [USER.email]).split(';')[0]?.split('=')[1],
      writeDeviceCookie({ deviceId: `device_${'a'.repeat(26)}`, issuedAtSec: 1, browser: 'a'.repeat(8) }),
      ((await callNextAuth('csrf')).body as { csrfToken: string }).csrfToken,
      env().nextAuthSecrets[0],
    ];
    for (const token of others) expect(await readSessionToken(token), token).toBeNull();
  });
});

describe('over https', () => {
  const settings = env();
  const { publicUrl, isHttps } = settings;
  beforeEach(() => {
    Object.assign(settings, { publicUrl: 'https://shop.test', isHttps: true });
  });
  afterEach(() => {
    Object.assign(settings, { publicUrl, isHttps });
    vi.unstubAllEnvs();
  });

  it('[N8] every cookie of ours is bound to this host, to https, and kept from scripts and other sites', async () => {
    const csrf = await callNextAuth('csrf');
    const { csrfToken } = csrf.body as { csrfToken: string };
    const cookies = Object.fromEntries(
      csrf.setCookies.map((each) => [
        each.split('=', 1)[0],
        decodeURIComponent(/=([^;]*)/.exec(each)?.[1] ?? ''),
      ]),
    );
    const signedIn = await callNextAuth('callback/credentials', {
      csrfToken,
      cookies,
      authorize: async () => ({ ...claimsOf(USER, 's1'), id: USER.id }),
    });
    const all = [
      ...csrf.setCookies,
      ...signedIn.setCookies,
      forgetSessionCookie(),
      rememberAccount(null, [USER.email]),
      writeDeviceCookie({ deviceId: `device_${'a'.repeat(26)}`, issuedAtSec: 1, browser: 'a'.repeat(8) }),
    ];
    expect(all.filter((each) => each.includes('session-token')).length).toBeGreaterThanOrEqual(2);
    for (const each of all) {
      const [name = ''] = each.split('=', 1);
      expect(name, each).toMatch(/^__Host-/);
      const attributes = each
        .split(/; ?/)
        .slice(1)
        .map((one) => one.toLowerCase());
      expect(attributes, name).toEqual(
        expect.arrayContaining(['secure', 'httponly', 'samesite=lax', 'path=/']),
      );
      expect(attributes.some((one) => one.startsWith('domain'))).toBe(false);
    }
  });
});
