import { readArguments } from '@/tools/harness/arguments';

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
  'steady',
  'spike',
  'abuse',
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

export type BenchArguments = {
  json: string | null;
  isQuick: boolean;
  only: readonly FigureName[];
  /** Folder for a processor profile of the fast path's process; null: no profile. */
  profile: string | null;
};

/** Reads the command line. Returns the figures in the order of measuring. @throws UsageError when called wrongly. */
export function parseBenchArguments(args: readonly string[]): BenchArguments {
  const given = readArguments('bench', args);
  const wanted = given.names('only', FIGURE_NAMES) ?? FIGURE_NAMES;
  return {
    json: given.path('json') ?? null,
    isQuick: given.isSet('quick'),
    only: FIGURE_NAMES.filter((name) => wanted.includes(name)),
    profile: given.path('profile') ?? null,
  };
}
