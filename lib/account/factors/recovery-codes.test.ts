import { describe, expect, it } from 'vitest';
import { createRecoveryCode } from './recovery-codes';
import { createTotpSecret } from './totp';

const MANY = 20_000;

/** Says how many of the letters at each place there are, of all that were made. */
const lettersAt = (texts: readonly string[], at: number) => new Set(texts.map((text) => text[at])).size;

describe('secrets of second factors', () => {
  it('[N5] have 118 random bits each, and no two are the same', () => {
    const codes = Array.from({ length: MANY }, createRecoveryCode);
    expect(new Set(codes).size).toBe(MANY);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{24}$/);
    const places = Array.from({ length: 24 }, (_, at) => lettersAt(codes, at));
    const bits = places.reduce((sum, letters) => sum + Math.log2(letters), 0);
    expect(bits).toBeGreaterThan(118);
  });

  it('[N5] of apps have 160 random bits, and no two are the same', () => {
    const secrets = Array.from({ length: MANY }, createTotpSecret);
    expect(new Set(secrets).size).toBe(MANY);
    const places = Array.from({ length: 32 }, (_, at) => lettersAt(secrets, at));
    expect(places.reduce((sum, letters) => sum + Math.log2(letters), 0)).toBe(160);
  });
});
