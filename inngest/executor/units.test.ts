import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from './canonical';
import { eventIds } from './ids';
import { nextTick } from './parse-function';
import { backoffDelayMs, readRetryAfterMs } from './retry-delay';
import { isSignedBy, sign } from './sign';
import { wakeAt } from './wake-at';

describe('canonical', () => {
  it.each([
    '{"b":1,"a":{"d":[{"z":1,"y":null}],"c":"\\u2028 \\ud800 é"},"A":1e21}',
    '{"10":1,"9":2,"a":{"1":1,"01":2}}',
    '{"x":[{"2":1,"1":2}],"__proto__":{"b":1,"a":2},"constructor":0,"é":1,"z":2,"\\ud83d\\ude00":3,"\\uffee":4}',
    '[]',
    'null',
    '-0.0',
  ])('is what the library makes of %s', (text) => {
    expect(canonical(JSON.parse(text))).toBe(canonicalize(JSON.parse(text)));
  });

  it('is what the library makes of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(canonical(value)).toBe(canonicalize(value));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('wakeAt', () => {
  it.each([
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['1w2d3h4m5s', 788_645_000],
    ['', 0],
    ['1970-01-01T00:00:01.500Z', 1500],
    ['soon', undefined],
    ['15', undefined],
  ])('%s', (name, expected) => {
    expect(wakeAt(name, 0)).toBe(expected);
  });
});

describe('retry delays', () => {
  it('repeats the last wait, with up to 20 % on top', () => {
    for (const [attempt, ms] of [
      [0, 100],
      [1, 1000],
      [7, 1000],
    ] as const) {
      const delay = backoffDelayMs([100, 1000], attempt);
      expect(delay).toBeGreaterThanOrEqual(ms);
      expect(delay).toBeLessThanOrEqual(ms * 1.2);
    }
  });

  it.each([
    [null, undefined],
    ['30', 30_000],
    ['0', 1000],
    ['1000000000', 86_400_000],
    ['1970-01-01T00:01:00.000Z', 50_000],
    ['Thu, 01 Jan 1970 00:00:15 GMT', 5000],
    ['whenever', undefined],
  ])('Retry-After %s', (header, expected) => {
    expect(readRetryAfterMs(header, 10_000)).toBe(expected);
  });
});

describe('signatures', () => {
  const key = 'signkey-prod-00112233';
  it('are accepted for the same text and key only', () => {
    const header = sign('{"a":1}', key);
    expect(isSignedBy(header, '{"a":1}', key)).toBe(true);
    expect(isSignedBy(header, '{"a":2}', key)).toBe(false);
    expect(isSignedBy(header, '{"a":1}', 'signkey-prod-44556677')).toBe(false);
    expect(isSignedBy(null, '{"a":1}', key)).toBe(false);
    expect(isSignedBy('t=&s=', '{"a":1}', key)).toBe(false);
  });
});

describe('eventIds', () => {
  it('are ULIDs of the seed, one after the other', () => {
    // Computed without this code: 48 bits of time, then the entropy plus the 1-based index, in Crockford's base 32.
    expect(eventIds('1743130137367,eii2YKXRVTJPuA==', 3)).toEqual([
      '01JQDAE4RQF8MBCR55T5AK4KXS',
      '01JQDAE4RQF8MBCR55T5AK4KXT',
      '01JQDAE4RQF8MBCR55T5AK4KXV',
    ]);
  });

  it.each([undefined, '', 'x', '0,eii2YKXRVTJPuA==', '1,short'])(
    'are fresh without a usable seed: %s',
    (seed) => {
      expect(eventIds(seed, 1)).not.toEqual(eventIds(seed, 1));
    },
  );
});

describe('nextTick', () => {
  it.each([
    ['*/5 * * * *', '2026-01-01T00:05:00.000Z'],
    ['TZ=Asia/Shanghai 0 9 * * *', '2026-01-01T01:00:00.000Z'],
  ])('%s', (cron, expected) => {
    expect(nextTick(cron, new Date('2026-01-01T00:00:00Z'))?.toISOString()).toBe(expected);
  });
});
