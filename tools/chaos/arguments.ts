import { parseArgs } from 'node:util';
import { usageOf } from '../../scripts/infra/usages.mjs';
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

/** Called wrongly: one sentence for whoever called it. */
export class ChaosUsageError extends Error {}

const USAGE = usageOf('chaos');
const MAX_SEED = 2 ** 31 - 1;

/**
 * `--faults` draws from these only, `--with` adds to the usual ones; without a seed one is chosen.
 * @throws ChaosUsageError on anything else.
 */
export function parseChaosArguments(args: readonly string[]): ChaosArguments {
  const values = parse(args);
  const usual = FAULT_NAMES.filter((name) => !faultOf(name).isOptIn);
  if (values.json === '') throw new ChaosUsageError(`--json needs a file (${USAGE})`);
  const chosen = values.faults === undefined ? usual : names(values.faults);
  return {
    rounds: number('rounds', values.rounds, 5, 1, 10_000),
    seed: number('seed', values.seed, Math.floor(Math.random() * 1_000_000) + 1, 0, MAX_SEED),
    json: values.json ?? null,
    faults: [...new Set([...chosen, ...names(values.with ?? '')])],
    perRound: number('per-round', values['per-round'], 6, 0, 50),
    loadSec: number('load-sec', values['load-sec'], 12, 1, 600),
    shoppers: number('shoppers', values.shoppers, 200, 1, 100_000),
    forSec: values['for-sec'] === undefined ? null : number('for-sec', values['for-sec'], 0, 1, 1_000_000),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        rounds: text,
        seed: text,
        json: text,
        faults: text,
        with: text,
        'per-round': text,
        'load-sec': text,
        shoppers: text,
        'for-sec': text,
      },
    }).values;
  } catch (error) {
    throw new ChaosUsageError(`${error instanceof Error ? error.message : error} (${USAGE})`);
  }
}

function names(list: string): FaultName[] {
  const wanted = list.split(',').filter(Boolean);
  return wanted.map((name) => {
    const found = FAULT_NAMES.find((known) => known === name);
    if (!found) throw new ChaosUsageError(`there is no fault ${name}; there are ${FAULT_NAMES.join(', ')}`);
    return found;
  });
}

function number(name: string, text: string | undefined, otherwise: number, from: number, to: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new ChaosUsageError(`--${name} must be a whole number from ${from} to ${to} (${USAGE})`);
  }
  return value;
}
