import { describe, expect, it } from 'vitest';
import { factRow, ratioRow, singleRow } from './rows';

describe('the row of a ratio', () => {
  it('[E10] judges the ratio of the medians and keeps how far apart the less steady one was', () => {
    const row = ratioRow({
      figure: 'a : b',
      ours: [80, 90, 10],
      theirs: [100, 100, 100],
      target: { atLeast: 0.8 },
    });
    expect(row).toMatchObject({
      measured: '80 : 100',
      result: '0.80',
      target: '≥ 0.80',
      verdict: 'met',
      compared: { value: 0.8, spread: 1, better: 'more' },
    });
  });

  it('[E10] knows ratios that should be small', () => {
    const row = ratioRow({ figure: 'a : b', ours: [130], theirs: [100], target: { atMost: 1.2 } });
    expect(row).toMatchObject({
      target: '≤ 1.20',
      verdict: 'missed',
      compared: { spread: null, better: 'less' },
    });
  });

  it('[E10] judges nothing without a target', () => {
    const row = ratioRow({ figure: 'a : b', ours: [1], theirs: [100], target: 'printed' });
    expect(row).toMatchObject({
      result: '0.01',
      target: 'printed',
      verdict: 'info',
      compared: { better: 'more' },
    });
  });
});

describe('the row of one measurement', () => {
  const single = { figure: 'a', measured: 'b', text: (value: number) => `${value} ms` };

  it('[E10] is judged by its target, or printed', () => {
    expect(singleRow({ ...single, value: 3, target: { atMost: 2 } })).toEqual({
      figure: 'a',
      measured: 'b',
      result: '3 ms',
      target: '≤ 2 ms',
      verdict: 'missed',
      compared: { value: 3, spread: null, better: 'less' },
    });
    expect(singleRow({ ...single, value: 3, target: { atLeast: 2 } })).toMatchObject({
      target: '≥ 2 ms',
      verdict: 'met',
      compared: { better: 'more' },
    });
    expect(singleRow({ ...single, value: 3, target: 'printed' }).verdict).toBe('info');
  });

  it('[E10] that came to no number is missed, and compared with nothing', () => {
    const row = singleRow({ ...single, value: Number.POSITIVE_INFINITY, target: { atMost: 2 } });
    expect(row).toMatchObject({ result: 'never', verdict: 'missed' });
    expect(row).not.toHaveProperty('compared');
  });

  it('[E10] may be a fact', () => {
    const fact = { figure: 'a', measured: 'b', result: 'c', target: 'd' };
    expect([factRow(fact, true).verdict, factRow(fact, false).verdict]).toEqual(['met', 'missed']);
  });
});
