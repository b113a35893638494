import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney, parseMoney, plainMoney, taxIn, toDecimal } from './money';

describe('[A1 P6] money', () => {
  it('is written by currency and language', () => {
    expect(formatMoney(123_456, 'USD', 'en')).toBe('$1,234.56');
    expect(formatMoney(1500, 'JPY', 'en')).toBe('¥1,500');
    expect(formatMoney(3900, 'EUR', 'zh-CN')).toBe('€39.00');
  });

  it.each([
    ['HUF', '1,990.00'],
    ['IDR', '1,990.00'],
    ['COP', '1,990.00'],
    ['PKR', '1,990.00'],
    ['TWD', '1,990.00'],
    ['IQD', '199.000'],
    ['KWD', '199.000'],
    ['JPY', '199,000'],
    ['ISK', '199,000'],
    ['CLF', '19.9000'],
  ])("in %s has ISO 4217's digits, whatever the browser takes for usual", (currency, figure) => {
    expect(formatMoney(199_000, currency, 'en').replace(/[^\d.,]/g, '')).toBe(figure);
    const plain = figure.replace(/,/g, '');
    expect(plainMoney({ amountMinor: 199_000, currency })).toBe(`${plain} ${currency}`);
    expect(parseMoney(plain, currency)).toBe(199_000);
  });

  it('is read without floats: what is written is what is read', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom('USD', 'JPY', 'HUF', 'KWD', 'CLF'),
        (minor, currency) => {
          expect(parseMoney(toDecimal(minor, currency), currency)).toBe(minor);
        },
      ),
    );
  });

  it.each([
    [11_900, 1_900, 1_900],
    [4_217, 1_900, 673],
    [1, 1_900, 0],
    [5, 1_000, 0],
    [6, 1_000, 1],
    [2_147_483_647, 10_000, 1_073_741_824],
    [100, 0, 0],
  ])('[O5] of %d at %d hundredths of a percent includes %d of tax', (amount, rate, tax) => {
    expect(taxIn(amount, rate)).toBe(tax);
  });

  it.each(['', 'x', '1.999', '-1', '1e3', '1.2.3', '9999999999999'])('%j is no amount', (text) => {
    expect(parseMoney(text, 'USD')).toBeNull();
  });
});
