import { describe, expect, it } from 'vitest';
import { newShipping, readShipping, toShippingValues } from './shipping-values';

const typed = (change: object) => readShipping({ ...newShipping('EUR'), price: '4.90', ...change });

describe('[O5] a price of shipping as it is typed', () => {
  it('reads countries however they are parted, and shows a rule as it reads it', () => {
    const rule = { currency: 'EUR', countries: ['DE', 'AT'], maxGrams: 2_000, priceMinor: 490 };
    expect(typed({ countries: 'de; AT ', maxGrams: ' 2000' })).toEqual({ rule });
    expect(toShippingValues([rule]).map(readShipping)).toEqual([{ rule }]);
    expect(typed({})).toEqual({ rule: { ...rule, countries: [], maxGrams: null } });
    expect(typed({ price: '0', currency: 'JPY' })).toMatchObject({ rule: { priceMinor: 0 } });
  });

  it.each([
    ['countries', 'Germany'],
    ['countries', 'D'],
    ['countries', '德国'],
    ['maxGrams', '0'],
    ['maxGrams', '1.5'],
    ['maxGrams', 'heavy'],
    ['price', ''],
    ['price', '-1'],
    ['price', '4.901'],
    ['price', '99999999'],
  ])('names %s at fault: %s', (wrong, text) => {
    expect(typed({ [wrong]: text })).toEqual({ wrong });
  });
});
