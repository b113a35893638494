import { describe, expect, it } from 'vitest';
import { measuredOnce, ratioRow } from './ratio-row';

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

  it('[E10] leaves out what came to no number', () => {
    expect(measuredOnce(Number.POSITIVE_INFINITY, 'less')).toEqual({});
    expect(measuredOnce(3, 'less')).toEqual({ compared: { value: 3, spread: null, better: 'less' } });
  });
});
