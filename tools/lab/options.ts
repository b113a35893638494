import { parseArgs } from 'node:util';
import type { Course } from './race';
import { strategies } from './strategies';
import type { Strategy } from './types';

/** The lab was called wrongly: one sentence for whoever called it. */
export class LabUsageError extends Error {}

export type LabOptions = {
  course: Course;
  /** Most rounds a strategy gets. */
  rounds: number;
  chosen: readonly Strategy[];
  json?: string;
  /** Where the chart goes; null: nowhere. */
  svg: string | null;
};

const LIMITS = {
  buyers: [2, 100_000],
  units: [1, 10_000],
  concurrency: [2, 1_000],
  seed: [0, 4_294_967_295],
  rounds: [1, 50],
} as const;
const DEFAULTS = { buyers: '2000', units: '100', concurrency: '64', seed: '1', rounds: '10' };
const CHART = 'docs/lab.svg';

/**
 * Reads the command line of `npm run lab`.
 * @throws LabUsageError with one sentence; parseArgs' own errors on unknown flags.
 */
export function parseLabOptions(argv: string[]): LabOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: argv,
    options: {
      buyers: text,
      units: text,
      concurrency: text,
      seed: text,
      rounds: text,
      only: text,
      json: text,
      svg: text,
    },
  });
  const number = (name: keyof typeof LIMITS) => {
    const given = values[name] ?? DEFAULTS[name];
    const [low, high] = LIMITS[name];
    const value = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= low && value <= high)) {
      throw new LabUsageError(
        `--${name} must be a number from ${low} to ${high}, not ${JSON.stringify(given)}`,
      );
    }
    return value;
  };
  const course = {
    buyers: number('buyers'),
    units: number('units'),
    concurrency: number('concurrency'),
    seed: number('seed'),
  };
  if (course.buyers <= course.units)
    throw new LabUsageError('--buyers must be more than --units, or nobody races');
  for (const name of ['json', 'svg'] as const) {
    if (values[name] === '') throw new LabUsageError(`--${name} needs the name of a file`);
  }
  const chosen = choose(values.only);
  return {
    course,
    rounds: number('rounds'),
    chosen,
    json: values.json,
    // A chart of a part would replace the one of the whole.
    svg: values.svg ?? (chosen.length === strategies.length ? CHART : null),
  };
}

function choose(only: string | undefined): readonly Strategy[] {
  if (only === undefined) return strategies;
  const names = new Set(only.split(','));
  for (const name of names) {
    if (!strategies.some((strategy) => strategy.name === name)) {
      const known = strategies.map((strategy) => strategy.name).join(', ');
      throw new LabUsageError(`--only: there is no strategy ${JSON.stringify(name)}; there are ${known}`);
    }
  }
  return strategies.filter((strategy) => names.has(strategy.name));
}
