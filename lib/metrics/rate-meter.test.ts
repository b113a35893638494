import { describe, expect, it } from 'vitest';
import { createRateMeter } from './rate-meter';

describe('rate meter', () => {
  it('[E10] knows nothing at the first look, then what came since', () => {
    const look = createRateMeter();
    expect(look('a', 500, 0)).toBeNull();
    expect(look('a', 500, 100)).toBeNull();
    expect(look('a', 600, 1_000)).toBe(100);
    expect(look('b', 600, 1_000)).toBeNull();
  });

  it('[E10] forgets a burst after ten seconds of looks', () => {
    const look = createRateMeter();
    look('a', 0, 0);
    expect(look('a', 10_000, 1_000)).toBe(10_000);
    let last: number | null = null;
    for (let second = 2; second <= 11; second += 1) last = look('a', 10_000, second * 1_000);
    expect(last).toBe(0);
  });

  it('[E10] a look an hour later begins anew; one after half a minute is an average', () => {
    const look = createRateMeter();
    look('a', 0, 0);
    expect(look('a', 300, 30_000)).toBe(10);
    expect(look('a', 900_000, 3_600_000)).toBeNull();
  });

  it('[E10] a counter that went back has no negative rate', () => {
    const look = createRateMeter();
    look('a', 100, 0);
    expect(look('a', 50, 1_000)).toBe(0);
  });
});
