import { parseArgs } from 'node:util';
import { usageOf } from '../../scripts/infra/usages.mjs';

/** The figures of the bench, in the order they are measured. */
export const FIGURE_NAMES = [
  'script',
  'purchase',
  'limits',
  'sold-out',
  'page',
  'sales-list',
  'fsync',
  'growth',
  'orders',
  'spike',
  'abuse',
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

export type BenchArguments = {
  json: string | null;
  isQuick: boolean;
  only: readonly FigureName[];
  /** Folder for a processor profile of the fast path's process. */
  profile: string | null;
};

/** Called wrongly: one sentence for whoever called it. */
export class BenchUsageError extends Error {}

const USAGE = usageOf('bench');

/**
 * `--only` may be repeated or hold several names separated by commas.
 * @throws BenchUsageError on anything else.
 */
export function parseBenchArguments(args: readonly string[]): BenchArguments {
  const values = parse(args);
  const wanted = (values.only ?? []).flatMap((names) => names.split(','));
  const unknown = wanted.find((name) => !isFigureName(name));
  if (unknown !== undefined)
    throw new BenchUsageError(
      `there is no figure ${JSON.stringify(unknown)}; there are ${FIGURE_NAMES.join(', ')} (${USAGE})`,
    );
  if (values.json === '') throw new BenchUsageError(`--json needs a file: ${USAGE}`);
  if (values.profile === '') throw new BenchUsageError(`--profile needs a folder: ${USAGE}`);
  const only = FIGURE_NAMES.filter((name) => wanted.length === 0 || wanted.includes(name));
  return { json: values.json ?? null, isQuick: values.quick ?? false, only, profile: values.profile ?? null };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'string' },
        quick: { type: 'boolean' },
        only: { type: 'string', multiple: true },
        profile: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new BenchUsageError(`${error instanceof Error ? error.message : error} (${USAGE})`);
  }
}

const isFigureName = (name: string): name is FigureName => FIGURE_NAMES.some((known) => known === name);
