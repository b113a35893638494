import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EntryClaims } from './entry-claims';

const KEYS = ['old', 'new', 'other'].map((name) => `${name}-key-0123456789abcdef0123456789abcdef`) as [
  string,
  string,
  string,
];
const [OLD, NEW, OTHER] = KEYS;
const NOW = 1_800_000_000_000;
const claims: EntryClaims = {
  userId: 'user_01',
  saleId: 'sale_01',
  level: 3,
  jti: 'jti_01',
  expiresAt: NOW + 60_000,
  device: 'a device, with "quotes" and ü',
  session: 'session_01',
};

/** Returns sign and verify as a process started with this ENTRY_SECRET has them. */
async function startedWith(secret: string) {
  vi.stubEnv('ENTRY_SECRET', secret);
  vi.resetModules();
  const [{ signEntryToken }, { verifyEntryToken }] = await Promise.all([
    import('./sign-entry-token'),
    import('./verify-entry-token'),
  ]);
  return {
    sign: signEntryToken,
    verify: (token: string, saleId = claims.saleId, now = NOW) => verifyEntryToken(token, saleId, now),
  };
}

let entry: Awaited<ReturnType<typeof startedWith>>;
beforeEach(async () => {
  entry = await startedWith(NEW);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an entry token', () => {
  it('[F2] says what was signed, for any claims', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
    const anyClaims = fc.record({
      userId: id,
      saleId: id,
      jti: id,
      level: fc.nat(),
      expiresAt: fc.integer({ min: NOW + 1, max: Number.MAX_SAFE_INTEGER }),
      device: fc.string({ maxLength: 64 }),
      session: fc.oneof(id, fc.constant('')),
    });
    fc.assert(
      fc.property(anyClaims, (each) => {
        expect(entry.verify(entry.sign(each), each.saleId)).toEqual({ status: 'valid', claims: each });
      }),
    );
  });

  it('[F2] is invalid with any bit flipped', () => {
    const token = entry.sign(claims);
    for (let at = 0; at < token.length; at += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const flipped = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
        const forged = token.slice(0, at) + flipped + token.slice(at + 1);
        expect(entry.verify(forged)).toEqual({ status: 'invalid' });
      }
    }
  });

  it('[F2] is invalid when cut, extended or spelled in another way', () => {
    const token = entry.sign(claims);
    for (let length = 0; length < token.length; length += 1) {
      expect(entry.verify(token.slice(0, length))).toEqual({ status: 'invalid' });
    }
    const [payload = '', signature = ''] = token.split('.');
    for (const other of [
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      `${payload}=.${signature}`,
      `${payload}..${signature}`,
    ]) {
      expect(entry.verify(other)).toEqual({ status: 'invalid' });
    }
  });

  it('[F2] is invalid for another sale, and expired from its last moment on', () => {
    const token = entry.sign(claims);
    expect(entry.verify(token, 'sale_02')).toEqual({ status: 'invalid' });
    expect(entry.verify(token, claims.saleId, claims.expiresAt - 1).status).toBe('valid');
    expect(entry.verify(token, claims.saleId, claims.expiresAt)).toEqual({ status: 'expired', claims });
    expect(entry.verify(token, 'sale_02', claims.expiresAt)).toEqual({ status: 'invalid' });
  });

  it('[F2] survives a rotation of keys: the newest signs, both verify, then the old one is gone', async () => {
    const before = await startedWith(OLD);
    const oldToken = before.sign(claims);
    const during = await startedWith(`${NEW},${OLD}`);
    const newToken = during.sign(claims);
    expect(newToken).toBe(entry.sign(claims));
    expect([oldToken, newToken].map((token) => during.verify(token).status)).toEqual(['valid', 'valid']);
    const after = await startedWith(NEW);
    expect([oldToken, newToken].map((token) => after.verify(token).status)).toEqual(['invalid', 'valid']);
    expect((await startedWith(OTHER)).verify(newToken)).toEqual({ status: 'invalid' });
  });
});

describe('verification', () => {
  it('[F2] refuses garbage of any kind and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (garbage) => {
        expect(entry.verify(garbage)).toEqual({ status: 'invalid' });
      }),
    );
    expect(entry.verify(`${'A'.repeat(50_000_000)}.${'A'.repeat(43)}`)).toEqual({ status: 'invalid' });
  });

  it('[F2] refuses well-signed payloads that are not claims', () => {
    const signed = (payload: string) => {
      const text = Buffer.from(payload).toString('base64url');
      return `${text}.${createHmac('sha256', NEW).update(text).digest('base64url')}`;
    };
    const good = [1, 'user_01', 'sale_01', 3, 'jti_01', NOW + 1, ''];
    expect(entry.verify(signed(JSON.stringify(good)))).toMatchObject({ claims: { session: '' } });
    const withSession = [2, ...good.slice(1), 's1'];
    expect(entry.verify(signed(JSON.stringify(withSession)))).toMatchObject({ claims: { session: 's1' } });
    for (const wrong of [withSession.slice(0, 7), [...withSession, 1], [1, ...withSession.slice(1)]])
      expect(entry.verify(signed(JSON.stringify(wrong)))).toEqual({ status: 'invalid' });
    for (const session of ['', 'a;b', 7, null])
      expect(entry.verify(signed(JSON.stringify([...withSession.slice(0, 7), session])))).toEqual({
        status: 'invalid',
      });
    const replaced = (at: number, value: unknown) =>
      JSON.stringify(good.map((each, i) => (i === at ? value : each)));
    const wrong = [
      '',
      '{',
      'null',
      '{}',
      '[]',
      JSON.stringify([...good, 1]),
      replaced(0, 3),
      replaced(1, 'a;b'),
      replaced(1, 7),
      replaced(3, -1),
      replaced(3, '3'),
      replaced(4, ''),
      replaced(5, 1.5),
      replaced(5, null),
      replaced(6, 5),
      replaced(6, 'x'.repeat(129)),
    ];
    for (const payload of wrong) expect(entry.verify(signed(payload))).toEqual({ status: 'invalid' });
  });
});

it('signing refuses claims that verification would refuse', () => {
  expect(() => entry.sign({ ...claims, jti: 'a,b' })).toThrow(TypeError);
  expect(() => entry.sign({ ...claims, level: -1 })).toThrow(TypeError);
  expect(() => entry.sign({ ...claims, device: '€'.repeat(129) })).toThrow(TypeError);
});
