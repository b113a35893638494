import { readArguments, SEEDS } from '@/tools/harness/arguments';
import { FAULT_NAMES, type FaultName, faultOf } from './faults/kinds';

export type ChaosArguments = {
  rounds: number;
  /** Seed of the first round; each further round has the next number. */
  seed: number;
  json: string | null;
  /** The faults to draw from. */
  faults: readonly FaultName[];
  /** How many faults to draw for a round. */
  perRound: number;
  loadSec: number;
  shoppers: number;
  /** No new round begins after this many seconds; null: all rounds run. */
  forSec: number | null;
};

/**
 * Reads the command line. `--faults` draws only from the faults it names, `--with` adds faults to the usual ones.
 * Without a seed, a random one is used.
 * @throws UsageError when called wrongly.
 */
export function parseChaosArguments(args: readonly string[]): ChaosArguments {
  const given = readArguments('chaos', args);
  const usual = FAULT_NAMES.filter((name) => !faultOf(name).isOptIn);
  const chosen = given.names('faults', FAULT_NAMES) ?? usual;
  const added = given.names('with', FAULT_NAMES) ?? [];
  return {
    rounds: given.wholeNumber('rounds', { from: 1, to: 10_000 }) ?? 5,
    seed: given.wholeNumber('seed', SEEDS) ?? Math.floor(Math.random() * 1_000_000) + 1,
    json: given.path('json') ?? null,
    faults: [...new Set([...chosen, ...added])],
    perRound: given.wholeNumber('per-round', { from: 0, to: 50 }) ?? 6,
    loadSec: given.wholeNumber('load-sec', { from: 1, to: 600 }) ?? 12,
    shoppers: given.wholeNumber('shoppers', { from: 1, to: 100_000 }) ?? 200,
    forSec: given.wholeNumber('for-sec', { from: 1, to: 1_000_000 }) ?? null,
  };
}
