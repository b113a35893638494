import { describe, expect, it } from 'vitest';
import { UsageError } from '@/scripts/usage-error';
import { parseChaosArguments } from './arguments';
import { ROUND_KINDS } from './round-kinds';

describe('parseChaosArguments', () => {
  it('[J4] takes rounds, seed and file, and leaves out what has to be asked for', () => {
    const given = parseChaosArguments(['--rounds', '3', '--seed', '42', '--json', 'out.json']);
    expect(given).toMatchObject({ rounds: 3, seed: 42, json: 'out.json' });
    expect(given.faults).toContain('kill-redis');
    expect(given.faults).not.toContain('empty-redis');
    expect(parseChaosArguments(['--with', 'empty-redis']).faults).toContain('empty-redis');
    expect(parseChaosArguments(['--faults', 'kill-redis,cut-redis']).faults).toEqual([
      'kill-redis',
      'cut-redis',
    ]);
  });

  it('[K1] draws from what can happen to a cluster and a pooler, if they are there', () => {
    const usual = parseChaosArguments([]);
    expect(usual.place).toEqual({ isCluster: false, hasPooler: false });
    expect(usual.faults).not.toContain('kill-hot-primary');
    const { place, faults } = parseChaosArguments(['--redis', 'cluster', '--pooler']);
    expect(place).toEqual({ isCluster: true, hasPooler: true });
    expect(faults).toEqual(expect.arrayContaining(['kill-hot-primary', 'restart-pooler', 'kill-postgres']));
    expect(faults).not.toContain('kill-redis');
  });

  it('[J4] draws from every kind of sale, or from those that are named', () => {
    expect(parseChaosArguments([]).kinds).toEqual(ROUND_KINDS);
    expect(parseChaosArguments(['--kinds', 'draw,queue']).kinds).toEqual(['draw', 'queue']);
  });

  it.each([
    [['--kinds', 'lottery']],
    [['--kinds', '']],
    [['--rounds', '0']],
    [['--rounds', 'many']],
    [['--seed', '-1']],
    [['--faults', 'earthquake']],
    [['--unheard-of']],
    [['--shoppers', '1.5']],
    [['--json', '']],
    [['--redis', 'ring']],
    [['--faults', 'part-shards']],
    [['--redis', 'cluster', '--faults', 'kill-redis']],
    [['--with', 'restart-pooler']],
  ])('[J4] refuses %j in one sentence', (args) => {
    expect(() => parseChaosArguments(args)).toThrow(UsageError);
  });
});
