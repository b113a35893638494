import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { helpOf } from '../../scripts/infra/usages.mjs';
import { parseSimulateArguments } from './arguments';
import { SALE_KINDS } from './sale-kind';

describe('npm run simulate', () => {
  it('[J4] takes how many schedules, from which seed, and a bug to plant', () => {
    const { bug, ...rest } = parseSimulateArguments([
      '--schedules',
      '5',
      '--seed',
      '7',
      '--bug',
      'ack-before-send',
    ]);
    expect(rest).toEqual({ schedules: 5, seed: 7, jobs: 1, kind: undefined });
    expect(bug?.what).toContain('acknowledges');
    expect(parseSimulateArguments(['--kind', 'waitlist']).kind).toBe('waitlist');
    expect(parseSimulateArguments([])).toMatchObject({ schedules: 1_000, bug: undefined });
  });

  it('[J4] says which kinds of sale there are', () => {
    expect(helpOf('simulate')).toContain(`sale: ${SALE_KINDS.join(', ')}.`);
  });

  it.each([
    ['--schedules', '0'],
    ['--schedules', 'x'],
    ['--seed', '-1'],
    ['--bug', 'toString'],
    ['--kind', 'raffle'],
    ['--jobs', '0'],
    ['--foo'],
    ['bar'],
  ])('[J4] refuses %s %s', (...args) => {
    expect(() => parseSimulateArguments(args.filter(Boolean))).toThrow(UsageError);
  });
});
