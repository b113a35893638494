import { expect, it } from 'vitest';
import { fromStripe, isCountable, toStripe } from './money';

it.each([
  ['EUR', 1999, 1999],
  ['JPY', 500, 500],
  ['KWD', 1500, 1500],
  ['ISK', 5, 500],
  ['UGX', 7, 700],
  ['MGA', 500_000, 5_000],
])('[O4 F4] %s: %i of our minor units are %i of Stripe’s', (currency, amountMinor, amount) => {
  expect(toStripe({ amountMinor, currency })).toEqual({ amount, currency: currency.toLowerCase() });
  expect(fromStripe(amount, currency.toLowerCase())).toEqual({ amountMinor, currency });
});

it.each([
  ['KWD', 5_120, true],
  ['KWD', 5_124, false],
  ['MGA', 500_000, true],
  ['MGA', 500_050, false],
  ['EUR', 1_999, true],
])('[O4 F4] %s: whether Stripe can take %i of our minor units: %s', (currency, amountMinor, isTaken) => {
  const money = { amountMinor, currency };
  expect(isCountable(money)).toBe(isTaken);
  if (!isTaken) expect(() => toStripe(money)).toThrow('no such amount');
});

it('[O4 F4] a part of a minor unit is no money of ours', () => {
  expect(fromStripe(501, 'isk')).toBeNull();
  expect(fromStripe(Number.NaN, 'eur')).toBeNull();
});
