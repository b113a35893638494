import { describe, expect, it } from 'vitest';
import { compareRuns, renderComparison } from './compare';
import type { Environment, FigureReport, Row } from './types';

const environment: Environment = {
  date: '2026-03-04',
  cpu: 'Some CPU',
  cores: 2,
  memoryGiB: 8,
  system: 'Linux 6.1',
  loadBefore: 0.25,
  versions: {},
  mode: 'full',
  seconds: 61,
  rounds: 3,
  roundSeconds: 4,
};
const row = (
  figure: string,
  value: number,
  spread: number | null,
  better: 'more' | 'less' = 'more',
): Row => ({
  figure,
  measured: '',
  result: String(value),
  target: '',
  verdict: 'met',
  compared: { value, spread, better },
});
const reports = (...rows: Row[]): FigureReport[] => [{ name: 'part', rows, notes: [], samples: {} }];
const judge = (before: Row, after: Row) => compareRuns(reports(before), reports(after))[0];

describe('the comparison with an earlier run', () => {
  it('[E10] calls progress what is more than the rounds of either run lie apart', () => {
    const found = judge(row('a', 1, 0.1), row('a', 1.2, 0.15));
    expect(found).toMatchObject({ before: '1', after: '1.2', judgement: 'better' });
    expect(found?.change).toBeCloseTo(0.2);
    expect(judge(row('a', 1, 0), row('a', 0.9, 0.05))?.judgement).toBe('worse');
    expect(judge(row('a', 9, 0, 'less'), row('a', 8, 0, 'less'))?.judgement).toBe('better');
  });

  it('[E10] calls noise what is not, whichever run was unsteady', () => {
    const [steady, unsteady] = [row('a', 1, 0.01), row('a', 1.2, 0.4)];
    expect(judge(steady, unsteady)?.judgement).toBe('within the noise');
    expect(judge(unsteady, steady)?.judgement).toBe('within the noise');
  });

  it('[E10] claims nothing about what was measured once', () => {
    expect(judge(row('a', 1, null), row('a', 9, null))).toMatchObject({
      spreadBefore: null,
      judgement: 'unknown',
    });
    expect(judge(row('a', 1, 0), row('a', 9, null))?.judgement).toBe('unknown');
  });

  it('[E10] shows rows that only one run has a number for', () => {
    const failed: Row = { ...row('a', 1, 0), result: '–', compared: undefined };
    for (const [before, after] of [
      [row('other', 1, 0), row('a', 1, 0)],
      [row('a', 1, 0), failed],
      [row('a', 0, 0), row('a', 1, 0)],
    ] as const)
      expect(judge(before, after)).toMatchObject({ change: null, judgement: 'nothing to compare' });
  });

  it('[E10] says in its table what changed, and whether the runs were made alike', () => {
    const run = (of: Row, over: Partial<Environment> = {}) => ({
      environment: { ...environment, ...over },
      reports: reports(of),
    });
    const before = run(row('a figure', 1, 0));
    const alike = renderComparison(before, run(row('a figure', 2, 0)));
    expect(alike).toMatch(/a figure +1 +2 +\+100\.0 % +0\.0 % +0\.0 % +better/);
    expect(alike).not.toContain('not made alike');
    expect(renderComparison(before, run(row('a figure', 2, 0), { mode: 'quick' }))).toContain(
      'not made alike',
    );
  });
});
