import { readArguments } from '@/tools/harness/arguments';
import { FIGURE_NAMES, type FigureName } from './figures';

export type BenchArguments = {
  json: string | null;
  /** File that an earlier run wrote with `--json`; null: nothing is compared. */
  compare: string | null;
  isQuick: boolean;
  only: readonly FigureName[];
  /** Folder for profiles of the product's processes, by figure; null: nothing is profiled. */
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
