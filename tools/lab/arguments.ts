import { UsageError } from '@/scripts/usage-error';
import { readArguments } from '@/tools/harness/arguments';
import type { Course } from './race';
import { strategies } from './strategies';
import type { Strategy } from './types';

export type LabArguments = {
  course: Course;
  /** The most rounds a strategy gets. */
  rounds: number;
  chosen: readonly Strategy[];
  json: string | null;
  /** File for the chart; null: no chart. */
  svg: string | null;
};

const SEEDS = { from: 0, to: 4_294_967_295 };
const CHART = 'docs/lab.svg';

/** Reads the command line. Returns the strategies in the list's order. @throws UsageError when called wrongly. */
export function parseLabArguments(args: readonly string[]): LabArguments {
  const given = readArguments('lab', args);
  const course = {
    buyers: given.wholeNumber('buyers', { from: 2, to: 100_000 }) ?? 2_000,
    units: given.wholeNumber('units', { from: 1, to: 10_000 }) ?? 100,
    concurrency: given.wholeNumber('concurrency', { from: 2, to: 1_000 }) ?? 64,
    seed: given.wholeNumber('seed', SEEDS) ?? 1,
  };
  if (course.buyers <= course.units) {
    throw new UsageError('--buyers must be more than --units, otherwise every buyer gets a unit');
  }
  const names = strategies.map(({ name }) => name);
  const wanted = given.names('only', names) ?? names;
  const chosen = strategies.filter(({ name }) => wanted.includes(name));
  return {
    course,
    rounds: given.wholeNumber('rounds', { from: 1, to: 50 }) ?? 10,
    chosen,
    json: given.path('json') ?? null,
    // A chart of some strategies would replace the chart of all.
    svg: given.path('svg') ?? (chosen.length === strategies.length ? CHART : null),
  };
}
