import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { parseLabArguments } from './arguments';
import { strategies } from './strategies';

describe('the command line of the lab', () => {
  it('[C4] races everyone, 2,000 buyers for 100 units, unless told otherwise', () => {
    const course = { buyers: 2_000, units: 100, concurrency: 64, seed: 1 };
    expect(parseLabArguments([])).toMatchObject({ course, chosen: strategies, svg: 'docs/lab.svg' });
  });

  it('[C4] a part of the strategies leaves the chart of all alone', () => {
    const options = parseLabArguments(['--only', 'ours,lock-spin', '--seed=7', '--json', 'out.json']);
    expect(options.chosen.map(({ name }) => name)).toEqual(['lock-spin', 'ours']);
    expect(options).toMatchObject({ svg: null, json: 'out.json', course: { seed: 7 } });
    expect(parseLabArguments(['--only=ours', '--svg=mine.svg']).svg).toBe('mine.svg');
  });

  it.each([
    ['--buyers=0'],
    ['--buyers=1.5'],
    ['--buyers=NaN'],
    ['--buyers=-5'],
    ['--buyers=1e3'],
    ['--buyers=100001'],
    ['--units=0'],
    ['--units=2000'],
    ['--concurrency=1'],
    ['--rounds=0'],
    ['--seed=x'],
    ['--seed='],
    ['--only='],
    ['--only=ours,nobody'],
    ['--json='],
    ['--svg='],
  ])('[C4] refuses %s in one sentence', (argument) => {
    expect(() => parseLabArguments([argument])).toThrow(UsageError);
    expect(() => parseLabArguments([argument])).toThrow(/^[^\n]+$/);
  });
});
