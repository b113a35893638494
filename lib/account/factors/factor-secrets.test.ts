import { describe, expect, it } from 'vitest';
import { createRecoveryCode } from './recovery-codes';
import { createTotpSecret, totpAddress, totpCode, totpStep } from './totp';
import { typedCode } from './typed-code';

const MANY = 20_000;
/** The secret of RFC 6238's test vectors, `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const STEP_MS = 30_000;

/** Counts the random bits of texts by the letters that occur at each place. */
const bitsOf = (texts: readonly string[]): number =>
  Array.from(
    { length: texts[0]?.length ?? 0 },
    (_, at) => new Set(texts.map((text) => text[at])).size,
  ).reduce((sum, letters) => sum + Math.log2(letters), 0);

describe('secrets of second factors', () => {
  it('[N5] of recovery have 118 random bits each, and no two are the same', () => {
    const codes = Array.from({ length: MANY }, createRecoveryCode);
    expect(new Set(codes).size).toBe(MANY);
    for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{24}$/);
    expect(bitsOf(codes)).toBeGreaterThan(118);
  });

  it('[N5] of apps have 160 random bits, and no two are the same', () => {
    const secrets = Array.from({ length: MANY }, createTotpSecret);
    expect(new Set(secrets).size).toBe(MANY);
    expect(bitsOf(secrets)).toBe(160);
  });
});

describe('one-time codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('[N5] at %i s are those of RFC 6238', (seconds, code) => {
    expect(totpCode(SECRET, seconds * 1_000)).toBe(code);
    expect(totpStep(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it('[N5] are good for their 30 s and one step before and after', () => {
    const atMs = 1_800_000_000_000;
    const code = totpCode(SECRET, atMs);
    const steps = [-2, -1, 0, 1, 2].map((step) => totpStep(SECRET, code, atMs + step * STEP_MS));
    expect(steps).toEqual([null, 60_000_000, 60_000_000, 60_000_000, null]);
    for (const wrong of ['', '12345', `${code}0`, ` ${code}`, 'abcdef'])
      expect(totpStep(SECRET, wrong, atMs)).toBeNull();
  });

  it('[N5] have an address that apps can read', () => {
    expect(totpAddress(SECRET, 'Seckill', 'a+b@example.com')).toBe(
      `otpauth://totp/Seckill:a%2Bb%40example.com?issuer=Seckill&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    );
  });

  it.each([
    ['123 456', '123456'],
    [' １２３　４５６ ', '123456'],
    ['\u200f١٢٣٤٥٦', '123456'],
    ['۱۲۳-۴۵۶', '123456'],
    ['𝟙𝟚𝟛𝟜𝟝𝟞', '123456'],
    ['ABCD–efgh\u2011ＪＫ\ufeff', 'abcdefghjk'],
    ['\ud800', '\ud800'],
    ['', ''],
  ])('[N5 I3] typed as %j are %j', (typed, code) => {
    expect(typedCode(typed)).toBe(code);
  });
});
