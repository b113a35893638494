import { readArguments } from '@/tools/harness/arguments';

/** The figures of the bench, in the order they are measured. */
export const FIGURE_NAMES = [
  'script',
  'purchase',
  'entry',
  'line',
  'session',
  'sign-in',
  'limits',
  'strategies',
  'sold-out',
  'page',
  'sales-list',
  'fsync',
  'replicas',
  'slices',
  'growth',
  'orders',
  'log',
  'journey',
  'whole',
  'steady',
  'spike',
  'abuse',
  'watchers',
  'expiry',
  'scale',
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

export type BenchArguments = {
  json: string | null;
  /** File that an earlier run wrote with `--json`; null: nothing is compared. */
  compare: string | null;
  isQuick: boolean;
  only: readonly FigureName[];
  /** Folder for flame graphs of the product's processes, by figure; null: nothing is profiled. */
  profile: string | null;
};

/** Reads the command line. Returns the figures in the order of measuring. @throws UsageError when called wrongly. */
export function parseBenchArguments(args: readonly string[]): BenchArguments {
  const given = readArguments('bench', args);
  const wanted = given.names('only', FIGURE_NAMES) ?? FIGURE_NAMES;
  return {
    json: given.path('json') ?? null,
    compare: given.path('compare') ?? null,
    isQuick: given.isSet('quick'),
    only: FIGURE_NAMES.filter((name) => wanted.includes(name)),
    profile: given.path('profile') ?? null,
  };
}
