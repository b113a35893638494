import { describe, expect, it } from 'vitest';
import type { ShippingRule } from '@/lib/contract/shapes/shipping';
import { priceShipping } from './price-shipping';

const rule = (change: Partial<ShippingRule>): ShippingRule => ({
  currency: 'EUR',
  countries: [],
  maxGrams: null,
  priceMinor: 0,
  ...change,
});
const RULES = [
  rule({ countries: ['DE'], maxGrams: 1_000, priceMinor: 490 }),
  rule({ countries: ['DE', 'AT'], maxGrams: 5_000, priceMinor: 790 }),
  rule({ currency: 'USD', priceMinor: 2_000 }),
  rule({ maxGrams: 2_000, priceMinor: 1_990 }),
];

describe('[O5] the price of a parcel', () => {
  it.each([
    ['DE', 1_000, 490],
    ['DE', 1_001, 790],
    ['AT', 1, 790],
    ['FR', 2_000, 1_990],
    ['FR', 2_001, null],
    ['DE', 5_001, null],
  ])('to %s with %d g is the first rule that fits: %s', (country, grams, price) => {
    expect(priceShipping(RULES, { currency: 'EUR', country, grams })).toBe(price);
  });

  it('is nothing without a rule for its currency', () => {
    expect(priceShipping(RULES, { currency: 'JPY', country: 'DE', grams: 9 })).toBe(0);
    expect(priceShipping([], { currency: 'EUR', country: 'DE', grams: 9 })).toBe(0);
  });
});
