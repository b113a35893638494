import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { parseAttackArguments } from './arguments';

describe('parseAttackArguments', () => {
  it('[G10] runs every scenario unless some are named', () => {
    expect(parseAttackArguments([])).toEqual({
      scenarios: ['crowd', 'waiting-room', 'hoarders', 'office', 'flood', 'draw'],
      seed: 1,
      json: null,
      isShort: false,
    });
    const given = [
      '--scenario',
      'office',
      '--scenario',
      'crowd',
      '--seed',
      '7',
      '--json',
      'out.json',
      '--short',
    ];
    expect(parseAttackArguments(given)).toEqual({
      scenarios: ['crowd', 'office'],
      seed: 7,
      json: 'out.json',
      isShort: true,
    });
  });

  it.each([
    [['--scenario', 'siege']],
    [['--seed', '-1']],
    [['--seed', '1.5']],
    [['--json', '']],
    [['--unheard-of']],
    [['crowd']],
  ])('[G10] refuses %j in one sentence', (args) => {
    expect(() => parseAttackArguments(args)).toThrow(UsageError);
  });
});
