import { availableParallelism } from 'node:os';
import { readArguments, SEEDS } from '@/tools/harness/arguments';
import { BUGS, type Bug } from './bugs';

export type SimulateArguments = {
  schedules: number;
  /** Of the first schedule; the next ones have the next numbers. */
  seed: number;
  /** A mistake to be planted, by its name. */
  bug: Bug | undefined;
  /** In how many processes. */
  jobs: number;
};

/** Fewer schedules end before a second process has started. */
const SCHEDULES_PER_JOB = 500;

/**
 * Without a seed, chance chooses one; without jobs, each core gets one where that is worth it.
 * @throws UsageError when called wrongly.
 */
export function parseSimulateArguments(args: readonly string[]): SimulateArguments {
  const given = readArguments('simulate', args);
  const schedules = given.wholeNumber('schedules', { from: 1, to: 10_000_000 }) ?? 1_000;
  const bug = given.names('bug', Object.keys(BUGS))?.at(-1);
  return {
    schedules,
    seed: given.wholeNumber('seed', SEEDS) ?? Math.floor(Math.random() * 1_000_000_000),
    bug: bug === undefined ? undefined : BUGS[bug],
    jobs:
      given.wholeNumber('jobs', { from: 1, to: 256 }) ??
      Math.min(availableParallelism(), Math.ceil(schedules / SCHEDULES_PER_JOB)),
  };
}
