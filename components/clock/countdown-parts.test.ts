import { describe, expect, it } from 'vitest';
import { countdownParts, formatShort, msToNextTick } from './countdown-parts';

describe('[A3] countdown figures', () => {
  it('show zero exactly when nothing is left, not a moment earlier', () => {
    expect(countdownParts(1).seconds).toBe(1);
    expect(countdownParts(0).seconds).toBe(0);
    expect(countdownParts(-5000)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
  });

  it('carry into minutes, hours and days', () => {
    expect(countdownParts(((26 * 60 + 3) * 60 + 4) * 1000)).toEqual({
      days: 1,
      hours: 2,
      minutes: 3,
      seconds: 4,
    });
    expect(countdownParts(59_001).minutes).toBe(1);
  });

  it('are short inside a sentence', () => {
    expect(formatShort(872_000)).toBe('14:32');
    expect(formatShort(3_872_000)).toBe('1:04:32');
    expect(formatShort(-1)).toBe('00:00');
  });

  it('change at the next whole second', () => {
    expect(msToNextTick(12_345)).toBe(345);
    expect(msToNextTick(12_000)).toBe(1000);
    expect(msToNextTick(-3)).toBe(1000);
  });
});
