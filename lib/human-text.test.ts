import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, isolated, itemName } from './human-text';

describe('[O7] what people write', () => {
  it.each([
    ['Lamp', 4, 'Lamp'],
    ['Lamp', 3, 'Lam'],
    ['🎧🎧', 3, '🎧'],
    ['🎧🎧', 1, ''],
    ['e\u0301e\u0301', 3, 'e\u0301'],
    ['A👨‍👩‍👧‍👦B', 5, 'A'],
    ['A👨‍👩‍👧‍👦B', 12, 'A👨‍👩‍👧‍👦'],
    ['無線耳機', 2, '無線'],
    [`e${'\u0301'.repeat(500)}`, 3, 'e\u0301\u0301'],
  ])('%j is cut after at most %i units between two characters', (text, max, kept) => {
    expect(cutText(text, max)).toBe(kept);
  });

  it('[P9] is never cut within a character, and never longer than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, max) => {
        const kept = cutText(text, max);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept).not.toMatch(/[\ud800-\udbff]$/);
      }),
    );
  });

  it('[O3] is named with its variant where there are some', () => {
    expect(itemName('T-shirt', null)).toBe('T-shirt');
    expect(itemName('T-shirt', 'XL (tall)')).toBe('T-shirt (XL (tall))');
  });

  it('cannot turn round what follows it', () => {
    expect(isolated('Lamp, 無線, Größe')).toBe('Lamp, 無線, Größe');
    expect(isolated('سماعات')).toBe('\u2068سماعات\u2069');
    expect(isolated('a\u202eb')).toBe('\u2068a\u202eb\u2069');
    expect(isolated('a\u2069\u202eb')).toBe('\u2068a\u202eb\u2069');
  });
});
