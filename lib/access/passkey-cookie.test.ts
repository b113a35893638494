import { afterEach, describe, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { CHALLENGE_LIFETIME_MS, forgetChallenge, readChallenge, writeChallenge } from './passkey-cookie';
import { forgetStep, writeStep } from './step-cookie';

const settings = env();
const { isHttps, entrySecrets } = settings;
const NOW_MS = 1_800_000_000_000;
const ACCOUNT = { id: 'user_1', passwordHash: 'hash', sessionVersion: 0 };

afterEach(() => {
  Object.assign(settings, { isHttps, entrySecrets });
});

const write = () => {
  const { challenge, setCookie } = writeChallenge('session', 's1', NOW_MS);
  return { challenge, cookie: setCookie.split(';', 1)[0] as string };
};

describe('the cookie with a challenge', () => {
  it('[N5] gives back the challenge and its moment for five minutes, also after the key was changed', () => {
    const { challenge, cookie } = write();
    Object.assign(settings, { entrySecrets: ['a newer secret, which is long enough', ...entrySecrets] });
    const last = NOW_MS + CHALLENGE_LIFETIME_MS - 1;
    expect(readChallenge(cookie, 'session', 's1', last)).toEqual({ challenge, issuedAt: new Date(NOW_MS) });
    expect(readChallenge(cookie, 'session', 's1', last + 1)).toBeNull();
  });

  it('[N5] is no other use’s, no other session’s, and can’t be altered', () => {
    const { cookie } = write();
    const read = (text: string | null, boundTo = 's1') => readChallenge(text, 'session', boundTo, NOW_MS);
    expect(read(cookie)).not.toBeNull();
    expect(read(cookie, 's2')).toBeNull();
    expect(readChallenge(cookie, 'add', 's1', NOW_MS)).toBeNull();
    const [name = '', value = ''] = cookie.split('=');
    const [use, issuedMs, challenge, signature] = value.split('.');
    for (const parts of [
      [use, Number(issuedMs) + 1, challenge, signature],
      [use, issuedMs, `${challenge?.startsWith('A') ? 'B' : 'A'}${challenge?.slice(1)}`, signature],
      [use, issuedMs, challenge, 'A'.repeat(43)],
      [use, issuedMs, challenge],
      [],
    ])
      expect(read(`${name}=${parts.join('.')}`), parts.join('.')).toBeNull();
    expect(read(`${name}=${'x'.repeat(5_000)}`)).toBeNull();
    expect(read(null)).toBeNull();
  });

  it('[N8] and that of the second step are bound to this host and to https, and kept from scripts and other sites', () => {
    Object.assign(settings, { isHttps: true });
    const all = [
      writeChallenge('sign-in', '').setCookie,
      forgetChallenge(),
      writeStep(ACCOUNT),
      forgetStep(),
    ];
    for (const each of all)
      expect(each).toMatch(
        /^__Host-seckill-(passkey|step)=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      );
  });
});
