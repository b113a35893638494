import { expect, it } from 'vitest';
import { fromStripe, toStripe } from './money';

it.each([
  ['EUR', 1999, 1999],
  ['JPY', 500, 500],
  ['KWD', 1500, 1500],
  ['ISK', 5, 500],
  ['UGX', 7, 700],
])('[O4 F4] %s: %i of our minor units are %i of Stripe’s', (currency, amountMinor, amount) => {
  expect(toStripe({ amountMinor, currency })).toEqual({ amount, currency: currency.toLowerCase() });
  expect(fromStripe(amount, currency.toLowerCase())).toEqual({ amountMinor, currency });
});

it('[O4 F4] a part of a minor unit is no money of ours', () => {
  expect(fromStripe(501, 'isk')).toBeNull();
  expect(fromStripe(Number.NaN, 'eur')).toBeNull();
});
