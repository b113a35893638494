import { describe, expect, it } from 'vitest';
import { readChange } from './published-change';
import { toLocalInput } from './sale-form-values';

const HOUR_MS = 3_600_000;
const startsAt = Date.now() + 24 * HOUR_MS;
const sale = { title: 'Lamp', startsAt, endsAt: startsAt + HOUR_MS };
const values = { title: 'Lamp', start: toLocalInput(sale.startsAt), end: toLocalInput(sale.endsAt) };
/** Returns the time as the field has it, to the minute. */
const typed = (at: number) => Date.parse(toLocalInput(at));

describe('[L3] a change of a published sale', () => {
  it('has only what was touched, though the fields know no seconds', () => {
    const right = { isTooEarly: false, isEndWrong: false };
    expect(readChange(sale, { ...values, title: ' Lamp ' }, false)).toEqual({ change: {}, ...right });
    const later = startsAt + 2 * HOUR_MS;
    const end = toLocalInput(later + HOUR_MS);
    expect(readChange(sale, { title: 'Lamps', start: toLocalInput(later), end }, false)).toEqual({
      change: { title: 'Lamps', startsAt: typed(later), endsAt: typed(later + HOUR_MS) },
      ...right,
    });
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
