import { availableParallelism } from 'node:os';
import { readArguments, SEEDS } from '@/tools/harness/arguments';
import { BUGS, type Bug } from './bugs';
import { SALE_KINDS, type SaleKind } from './sale-kind';

export type SimulateArguments = {
  schedules: number;
  /** Seed of the first schedule; each further schedule has the next number. */
  seed: number;
  /** The mistake to plant. */
  bug: Bug | undefined;
  /** Runs sales of this kind only; undefined: as each seed draws. */
  kind: SaleKind | undefined;
  /** Number of processes that share the schedules. */
  jobs: number;
};

/** With fewer schedules than this, the first process finishes before a second one has started. */
const SCHEDULES_PER_JOB = 500;

/**
 * Reads the command line. Without a seed, a random one is used. Without `--jobs`, each core gets a job where that is
 * worth it.
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
    kind: given.names('kind', SALE_KINDS)?.at(-1),
    jobs:
      given.wholeNumber('jobs', { from: 1, to: 256 }) ??
      Math.min(availableParallelism(), Math.ceil(schedules / SCHEDULES_PER_JOB)),
  };
}
