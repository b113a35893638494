import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { usageOf } from '../../scripts/infra/usages.mjs';
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

/** Called wrongly: one sentence for whoever called it. */
export class SimulateUsageError extends Error {}

const USAGE = usageOf('simulate');
const MAX_SEED = 2 ** 31 - 1;
/** Fewer are through before a second process has started. */
const WORTH_A_JOB = 500;

/** Without a seed one is chosen, without jobs one for each core, where that is worth it. @throws SimulateUsageError on anything that makes no sense. */
export function parseSimulateArguments(args: readonly string[]): SimulateArguments {
  const { schedules, seed, bug, jobs } = parse(args);
  if (bug !== undefined && !Object.hasOwn(BUGS, bug)) {
    throw new SimulateUsageError(`there is no bug ${bug}; there are ${Object.keys(BUGS).join(', ')}`);
  }
  const count = number('schedules', schedules, 1_000, 1, 10_000_000);
  const worth = Math.min(availableParallelism(), Math.ceil(count / WORTH_A_JOB));
  return {
    schedules: count,
    seed: number('seed', seed, Math.floor(Math.random() * 1_000_000_000), 0, MAX_SEED),
    bug: bug === undefined ? undefined : BUGS[bug],
    jobs: number('jobs', jobs, worth, 1, 256),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { schedules: text, seed: text, bug: text, jobs: text } })
      .values;
  } catch (error) {
    throw new SimulateUsageError(`${error instanceof Error ? error.message : error} (${USAGE})`);
  }
}

function number(name: string, text: string | undefined, otherwise: number, from: number, to: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new SimulateUsageError(`--${name} must be a whole number from ${from} to ${to} (${USAGE})`);
  }
  return value;
}
