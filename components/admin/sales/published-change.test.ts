import { describe, expect, it } from 'vitest';
import { readChange } from './published-change';
import { toLocalInput } from './sale-form-values';

const HOUR_MS = 3_600_000;
const startsAt = Date.now() + 24 * HOUR_MS;
const sale = { title: 'Lamp', titles: {}, startsAt, endsAt: startsAt + HOUR_MS };
const values = {
  title: 'Lamp',
  titles: {},
  start: toLocalInput(sale.startsAt),
  end: toLocalInput(sale.endsAt),
};
/** Returns the time as the field has it, to the minute. */
const typed = (at: number) => Date.parse(toLocalInput(at));

describe('[L3] a change of a published sale', () => {
  it('has only what was touched, though the fields know no seconds', () => {
    const right = { isTooEarly: false, isEndWrong: false };
    expect(readChange(sale, { ...values, title: ' Lamp ' }, false)).toEqual({ change: {}, ...right });
    const later = startsAt + 2 * HOUR_MS;
    const end = toLocalInput(later + HOUR_MS);
    expect(readChange(sale, { ...values, title: 'Lamps', start: toLocalInput(later), end }, false)).toEqual({
      change: { title: 'Lamps', startsAt: typed(later), endsAt: typed(later + HOUR_MS) },
      ...right,
    });
  });

  it('[O1] has the titles of all languages if one was changed, and none for spaces', () => {
    const one = { ...sale, titles: { 'zh-CN': '灯', en: 'Lamp' } };
    const titlesOf = (titles: typeof one.titles | object) =>
      readChange(one, { ...values, titles }, false).change.titles;
    expect(titlesOf({ en: ' Lamp', 'zh-CN': '灯 ' })).toBeUndefined();
    expect(titlesOf({ en: 'Lamps', 'zh-CN': '灯' })).toEqual({ en: 'Lamps', 'zh-CN': '灯' });
    expect(titlesOf({ en: '', 'zh-CN': '灯' })).toEqual({ 'zh-CN': '灯' });
  });

  it.each([
    ['no time', ''],
    ['the past', toLocalInput(Date.now() - HOUR_MS)],
  ])('moves no start to %s', (_to, start) => {
    expect(readChange(sale, { ...values, start }, false).isTooEarly).toBe(true);
    expect(readChange(sale, { ...values, start }, true)).toMatchObject({ change: {}, isTooEarly: false });
  });

  it('ends after its start, and once it has started later than before', () => {
    const isWrong = (afterMs: number, hasStarted: boolean) =>
      readChange(sale, { ...values, end: toLocalInput(startsAt + afterMs) }, hasStarted).isEndWrong;
    expect([-HOUR_MS, HOUR_MS / 2].map((ms) => isWrong(ms, false))).toEqual([true, false]);
    expect([HOUR_MS / 2, 2 * HOUR_MS].map((ms) => isWrong(ms, true))).toEqual([true, false]);
    const start = toLocalInput(startsAt + 2 * HOUR_MS);
    expect(readChange(sale, { ...values, start }, false).isEndWrong).toBe(true);
  });
});
