import { describe, expect, it } from 'vitest';
import { MAX_SLUG_LENGTH, SLUG } from '@/lib/contract/words/product';
import { spareSlug, toSlug } from './to-slug';

describe('[O1] an address of a name', () => {
  it('has its Latin letters and digits', () => {
    expect(toSlug('  Rain jacket, Crème brûlée 4 ', 'spare')).toBe('rain-jacket-creme-brulee-4');
    expect(toSlug('無線耳機 X2', 'spare')).toBe('x2');
    expect(toSlug('A'.repeat(199), 'spare')).toBe('a'.repeat(MAX_SLUG_LENGTH));
  });

  it.each(['無線耳機', 'سماعات لاسلكية', 'Наушники', '🎧', '---'])('[P9] exists without any: %s', (name) => {
    expect(toSlug(name, 'sale-k3x9a2')).toBe('sale-k3x9a2');
  });

  it('is none while there is no name', () => {
    expect(toSlug('  ', 'spare')).toBe('');
  });

  it('is free and allowed if it is a spare one', () => {
    const spares = Array.from({ length: 100 }, spareSlug);
    for (const spare of spares) expect(spare).toMatch(SLUG);
    expect(new Set(spares).size).toBe(spares.length);
  });
});
