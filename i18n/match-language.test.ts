import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchLanguage } from './match-language';
import { routing } from './routing';

describe('[O8] the language for a browser', () => {
  it.each(routing.locales)('%s is itself', (locale) => {
    expect(matchLanguage([locale])).toBe(locale);
    expect(matchLanguage([locale.toLowerCase()])).toBe(locale);
  });

  it.each([
    ['zh', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-MY', 'zh-CN'],
    ['cmn-Hans', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-CN', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['ZH-hk', 'zh-TW'],
    ['ru-UA', 'ru'],
    ['ru-RU-u-ca-gregory', 'ru'],
    ['en-GB', 'en'],
  ])('%s is led to %s', (wish, locale) => {
    expect(matchLanguage([wish])).toBe(locale);
  });

  it('the first wish that the shop can meet counts', () => {
    expect(matchLanguage(['de-DE', 'de', 'ru', 'en'])).toBe('ru');
    expect(matchLanguage(['en-US', 'zh-TW'])).toBe('en');
    expect(matchLanguage(['fr', 'ja'])).toBeNull();
  });

  it('nonsense is passed over', () => {
    const nonsense = ['', '*', 'zh_TW', '../ru', 'en;q=0.5', 'x'.repeat(10_000), '中文', '-', 'i-klingon'];
    expect(matchLanguage([])).toBeNull();
    expect(matchLanguage(nonsense)).toBeNull();
    expect(matchLanguage([...nonsense, 'zh-HK'])).toBe('zh-TW');
    expect(matchLanguage([...Array(1_000).fill('fr'), 'ru'])).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.string()), (wishes) => {
        expect([null, ...routing.locales]).toContain(matchLanguage(wishes));
      }),
    );
  });
});
