import { describe, expect, it } from 'vitest';
import { ratioText } from './format';
import { renderMarkdown, renderTable } from './render';
import { atLeast, atMost, type Environment, type FigureReport, type Row } from './types';

const environment: Environment = {
  date: '2026-03-04',
  cpu: 'Some CPU',
  cores: 2,
  memoryGiB: 8,
  system: 'Linux 6.1',
  loadBefore: 0.25,
  versions: { Node: '20.1.2', Redis: '7.0.1' },
  mode: 'quick',
  seconds: 61,
  rounds: 3,
  roundSeconds: 0.5,
};
const row = (over: Partial<Row>): Row => ({
  figure: 'a figure',
  measured: '10 : 20',
  result: '0.50',
  target: '≥ 0.80',
  verdict: 'missed',
  ...over,
});
const report = (...rows: Row[]): FigureReport => ({
  name: 'part',
  rows,
  notes: ['why it is so.'],
  samples: {},
});

describe('the report', () => {
  it('[E10] names machine, versions, date and every note', () => {
    const text = renderMarkdown(environment, [report(row({}))]);
    for (const part of [
      '2026-03-04',
      'Some CPU, 2 cores',
      'Node 20.1.2, Redis 7.0.1',
      'quick run of 61 s, 3 rounds of 0.5 s',
      'run 0.3',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('- **part**: why it is so.');
    expect(text).toContain('| a figure | 10 : 20 | 0.50 | ≥ 0.80 | **missed** |');
  });

  it('[E10] says first what was missed and what was not measured', () => {
    const rows = [
      row({ verdict: 'met' }),
      row({ figure: 'too slow' }),
      row({ figure: 'no rival', verdict: 'not measured' }),
      row({ verdict: 'info' }),
    ];
    const [, , summary] = renderMarkdown(environment, [report(...rows)]).split('\n');
    expect(summary).toContain('1 of 2 targets are met.');
    expect(summary).toContain('Missed: too slow (0.50, target ≥ 0.80).');
    expect(summary).toContain('Not measured: no rival.');
  });

  it('[E10] says that a machine was busy, and only then', () => {
    const text = (loadBefore: number) => renderMarkdown({ ...environment, loadBefore }, [report(row({}))]);
    expect(text(0.4)).not.toContain('busy with other things');
    expect(text(1.5)).toContain('busy with other things');
  });

  it('[E10] keeps a cell in its column', () => {
    const [line] = renderMarkdown(environment, [report(row({ figure: 'a | b\nc' }))])
      .split('\n')
      .filter((text) => text.includes('10 : 20'));
    expect(line?.startsWith('| a \\| b c | 10 : 20 |')).toBe(true);
  });

  it('[E10] lines up in the terminal', () => {
    const lines = renderTable([report(row({}), row({ figure: 'a much longer figure' }))]).split('\n');
    const columns = lines.map((line) => line.search(/measured|10 : 20/));
    expect(new Set(columns).size).toBe(1);
    expect(lines).toHaveLength(3);
  });

  it('[E10] never rounds a miss into a hit', () => {
    expect(ratioText(0.7999)).toBe('0.79');
    expect(ratioText(0.8)).toBe('0.80');
    expect(ratioText(12)).toBe('12.00');
    expect([atLeast(0.7999, 0.8), atLeast(0.8, 0.8), atMost(500, 500), atMost(500.1, 500)]).toEqual([
      'missed',
      'met',
      'met',
      'missed',
    ]);
    expect(atMost(Number.POSITIVE_INFINITY, 2_000)).toBe('missed');
    expect(atMost(Number.NaN, 500)).toBe('missed');
  });
});
