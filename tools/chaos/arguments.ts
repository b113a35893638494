import { UsageError } from '@/scripts/usage-error';
import { readArguments, SEEDS } from '@/tools/harness/arguments';
import { FAULT_NAMES, type FaultName, faultOf, fits } from './faults/kinds';

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
  /** The stores of the product: six servers instead of one Redis, PgBouncer before Postgres. */
  place: { isCluster: boolean; hasPooler: boolean };
  /** No new round begins after this many seconds; null: all rounds run. */
  forSec: number | null;
};

const NEEDED = { server: '--redis server', cluster: '--redis cluster', pooler: '--pooler' };

/**
 * Reads the command line. `--faults` draws only from the faults it names, `--with` adds faults to the usual ones.
 * If no seed is given, a random one is used.
 * @throws UsageError when called wrongly.
 */
export function parseChaosArguments(args: readonly string[]): ChaosArguments {
  const given = readArguments('chaos', args);
  const [redis = 'server'] = given.names('redis', ['server', 'cluster'] as const) ?? [];
  const place = { isCluster: redis === 'cluster', hasPooler: given.isSet('pooler') };
  const usual = FAULT_NAMES.filter((name) => !faultOf(name).isOptIn && fits(name, place));
  const chosen = given.names('faults', FAULT_NAMES) ?? usual;
  const added = given.names('with', FAULT_NAMES) ?? [];
  const faults = [...new Set([...chosen, ...added])];
  const odd = faults.find((name) => !fits(name, place));
  if (odd) throw new UsageError(`${odd} needs ${NEEDED[faultOf(odd).needs ?? 'server']}`);
  return {
    rounds: given.wholeNumber('rounds', { from: 1, to: 10_000 }) ?? 5,
    seed: given.wholeNumber('seed', SEEDS) ?? Math.floor(Math.random() * 1_000_000) + 1,
    json: given.path('json') ?? null,
    faults,
    place,
    perRound: given.wholeNumber('per-round', { from: 0, to: 50 }) ?? 6,
    loadSec: given.wholeNumber('load-sec', { from: 1, to: 600 }) ?? 12,
    shoppers: given.wholeNumber('shoppers', { from: 1, to: 100_000 }) ?? 200,
    forSec: given.wholeNumber('for-sec', { from: 1, to: 1_000_000 }) ?? null,
  };
}
