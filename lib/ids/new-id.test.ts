import { describe, expect, it } from 'vitest';
import { newId, randomText, timeOfId } from './new-id';

describe('newId', () => {
  it('is a prefix and 26 characters that are safe in addresses, Redis keys and buyer records', () => {
    for (let i = 0; i < 1_000; i += 1) expect(newId('sale')).toMatch(/^sale_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('never repeats, also within one millisecond', () => {
    const ids = Array.from({ length: 100_000 }, () => newId('user', 1_800_000_000_000));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts by time', () => {
    const times = [0, 1, 31, 32, 1_767_225_600_000, 1_767_225_600_001, 2 ** 48 - 1];
    const ids = times.map((time) => newId('x', time));
    expect([...ids].sort()).toEqual(ids);
  });

  it('[M9] tells when it was made, and nothing of a text that is no id', () => {
    for (const time of [0, 1_767_225_600_001, 2 ** 48 - 1])
      expect(timeOfId(newId('device', time))).toBe(time);
    for (const text of ['', 'device', 'device_', 'device_u', newId('device').slice(1, -1), `${newId('x')}\n`])
      expect(timeOfId(text)).toBeNull();
  });

  it('refuses prefixes that would break a key', () => {
    for (const prefix of ['', 'Sale', 'a_b', 'a:b', '{a}', 'x'.repeat(17)]) {
      expect(() => newId(prefix)).toThrow(TypeError);
    }
  });
});

describe('randomText', () => {
  it('uses every letter of the alphabet about equally', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i += 1) {
      for (const letter of randomText(64)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    // 128,000 letters, 4,000 of each expected, standard deviation 62.
    for (const count of counts.values()) expect(Math.abs(count - 4_000)).toBeLessThan(400);
  });

  it('refuses other lengths than 1 … 64', () => {
    for (const length of [0, 65, 1.5]) expect(() => randomText(length)).toThrow(RangeError);
  });
});
