import { expect, it } from 'vitest';
import { fromMollie, toMollie } from './money';

it.each([
  ['EUR', 1999, '19.99'],
  ['EUR', 5, '0.05'],
  ['EUR', 2_147_483_647, '21474836.47'],
  ['HUF', 100, '1.00'],
  ['JPY', 500, '500'],
  ['ISK', 5, '5'],
  ['KWD', 1_500, '1.500'],
  ['KWD', 1, '0.001'],
])('[O4 F4] %s: %i minor units are %s at Mollie', (currency, amountMinor, value) => {
  expect(toMollie({ amountMinor, currency })).toEqual({ currency, value });
  expect(fromMollie({ currency, value })).toEqual({ amountMinor, currency });
});

it.each([
  ['EUR', '19.999'],
  ['JPY', '500.5'],
  ['EUR', '-1.00'],
  ['EUR', '1e3'],
  ['EUR', ''],
  ['euros', '1.00'],
])('[O4 F4] %s %s is no money of ours', (currency, value) => {
  expect(() => fromMollie({ currency, value })).toThrow('no whole amount');
});
