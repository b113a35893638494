import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDate } from './format-date';
import { formatDuration } from './format-duration';
import { formatMoney, minorDigits, parseMoney } from './format-money';

describe('[A1] money', () => {
  it('is written by currency and language', () => {
    expect(formatMoney(123_456, 'USD', 'en')).toBe('$1,234.56');
    expect(formatMoney(1500, 'JPY', 'en')).toBe('¥1,500');
    expect(formatMoney(3900, 'EUR', 'zh-CN')).toBe('€39.00');
    expect(formatMoney(123_400, 'TWD', 'zh-TW')).toBe('$1,234.00');
    expect(formatMoney(123_456, 'RUB', 'ru')).toMatch(/^1\s234,56\s₽$/);
  });
  it('is read without floats: what is written is what is read', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom('USD', 'JPY'),
        (minor, currency) => {
          const text = (minor / 10 ** minorDigits(currency)).toFixed(minorDigits(currency));
          expect(parseMoney(text, currency)).toBe(minor);
        },
      ),
    );
  });
  it.each(['', 'x', '1.999', '-1', '1e3', '1.2.3', '9999999999999'])('%j is no amount', (text) => {
    expect(parseMoney(text, 'USD')).toBeNull();
  });
});

describe('[A1] times', () => {
  it('are said in the largest unit that divides them', () => {
    expect(formatDuration(900, 'en')).toBe('15 minutes');
    expect(formatDuration(604_800, 'en')).toBe('7 days');
    expect(formatDuration(90, 'en')).toBe('90 seconds');
    expect(formatDuration(900, 'zh-CN')).toBe('15分钟');
    expect(formatDuration(900, 'zh-TW')).toMatch(/^15\s分鐘$/);
    expect([60, 120, 300].map((seconds) => formatDuration(seconds, 'ru'))).toEqual([
      expect.stringMatching(/^1\sминута$/),
      expect.stringMatching(/^2\sминуты$/),
      expect.stringMatching(/^5\sминут$/),
    ]);
  });
  it('are shown in the given time zone', () => {
    const noon = Date.parse('2026-11-20T12:00:03Z');
    expect(formatDate(noon, 'en', 'time', 'Asia/Shanghai')).toContain('08:00:03');
    expect(formatDate(noon, 'en', 'full', 'UTC')).toContain('Nov 20, 2026');
    expect(formatDate(noon, 'ru', 'full', 'UTC')).toContain('20 нояб. 2026');
    expect(formatDate(noon, 'zh-TW', 'full', 'UTC')).toContain('2026年11月20日週五');
  });
});
