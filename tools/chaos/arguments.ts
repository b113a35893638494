import { readArguments, SEEDS } from '@/tools/harness/arguments';
import { FAULT_NAMES, type FaultName, faultOf } from './faults/kinds';

export type ChaosArguments = {
  rounds: number;
  /** Of the first round; the next ones have the next numbers. */
  seed: number;
  json: string | null;
  /** Which faults are drawn from. */
  faults: readonly FaultName[];
  /** How many are drawn for a round. */
  perRound: number;
  loadSec: number;
  shoppers: number;
  /** No further round begins after this; null: all of them do. */
  forSec: number | null;
};

/**
 * `--faults` draws from these only, `--with` adds to the usual ones. Without a seed, chance chooses one.
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
