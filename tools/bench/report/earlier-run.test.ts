import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { readEarlierRun } from './earlier-run';

const dir = mkdtempSync(join(tmpdir(), 'seckill-earlier-'));
afterAll(() => rmSync(dir, { recursive: true }));

const environment = { date: '2026-03-04', cpu: 'x', cores: 2, mode: 'full', rounds: 3, roundSeconds: 4 };
const row = { figure: 'a', result: '1', compared: { value: 1, spread: 0.1, better: 'more' } };
const run = { environment, reports: [{ name: 'part', rows: [row, { figure: 'b', result: '–' }] }] };

function written(content: unknown): string {
  const file = join(dir, 'run.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('the file of an earlier run', () => {
  it('[E10] is read, also where a figure had none', () => {
    expect(readEarlierRun(written({ ...run, more: 1 }))).toEqual(run);
  });

  it.each([
    ['', 'is no JSON'],
    ['not json', 'is no JSON'],
    ['null', 'was not written by'],
    ['[]', 'was not written by'],
    [{ reports: [] }, 'was not written by npm run bench -- --json (environment: '],
    [
      { ...run, reports: [{ name: 'x', rows: [{ ...row, compared: { ...row.compared, value: null } }] }] },
      'reports.0.rows.0',
    ],
    [{ ...run, reports: {} }, '(reports: '],
  ])('[E10] is refused when it holds %j', (content, problem) => {
    const file = written(content);
    expect(() => readEarlierRun(file)).toThrow(UsageError);
    expect(() => readEarlierRun(file)).toThrow(`--compare: ${file} `);
    expect(() => readEarlierRun(file)).toThrow(problem);
  });

  it('[E10] is refused when it is not there or is a folder', () => {
    for (const file of [join(dir, 'none.json'), dir])
      expect(() => readEarlierRun(file)).toThrow(/^--compare: .* can't be read/);
  });
});
