import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { parseBenchArguments } from './arguments';
import { FIGURE_NAMES } from './figures';

describe('the arguments of npm run bench', () => {
  it('[E10] measures everything in full without any', () => {
    expect(parseBenchArguments([])).toEqual({
      json: null,
      compare: null,
      isQuick: false,
      only: FIGURE_NAMES,
      profile: null,
    });
  });

  it('[E10] takes a file, quick and a choice, in the order of measuring', () => {
    const args = [
      '--json',
      'out.json',
      '--compare',
      'before.json',
      '--quick',
      '--only',
      'steady',
      '--only',
      'page,purchase',
      '--profile',
      'p',
    ];
    expect(parseBenchArguments(args)).toEqual({
      json: 'out.json',
      compare: 'before.json',
      isQuick: true,
      only: ['purchase', 'page', 'steady'],
      profile: 'p',
    });
  });

  it.each([
    ['--only', 'nothing'],
    ['--json'],
    ['--json', ''],
    ['--compare'],
    ['--compare', ''],
    ['--profile', ''],
    ['--fast'],
    ['extra'],
    ['--only', ''],
  ])('[E10] refuses %s %s', (...args) => {
    expect(() => parseBenchArguments(args)).toThrow(UsageError);
  });
});
