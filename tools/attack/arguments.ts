import { parseArgs } from 'node:util';
import { usageOf } from '../../scripts/infra/usages.mjs';

const SCENARIO_NAMES = ['early-birds', 'crowd', 'hoarders', 'office', 'flood'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export type AttackArguments = {
  scenarios: readonly ScenarioName[];
  seed: number;
  json: string | null;
  /** Few people and bots, only the recommended settings. */
  isShort: boolean;
};

/** Called wrongly: one sentence for whoever called it. */
export class AttackUsageError extends Error {}

const USAGE = usageOf('attack');
const MAX_SEED = 2 ** 31 - 1;

/** `--scenario` may be repeated. @throws AttackUsageError on anything else. */
export function parseAttackArguments(args: readonly string[]): AttackArguments {
  const { scenario = [], seed = '1', json, short = false } = parse(args);
  const unknown = scenario.find((name) => !SCENARIO_NAMES.some((known) => known === name));
  if (unknown !== undefined)
    throw new AttackUsageError(
      `there is no scenario ${unknown}; there are ${SCENARIO_NAMES.join(', ')} (${USAGE})`,
    );
  if (!/^\d+$/.test(seed) || Number(seed) > MAX_SEED) {
    throw new AttackUsageError(`--seed must be a whole number from 0 to ${MAX_SEED} (${USAGE})`);
  }
  if (json === '') throw new AttackUsageError(`--json needs a file (${USAGE})`);
  const scenarios = SCENARIO_NAMES.filter((name) => scenario.length === 0 || scenario.includes(name));
  return { scenarios, seed: Number(seed), json: json ?? null, isShort: short };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        scenario: { type: 'string', multiple: true },
        seed: { type: 'string' },
        json: { type: 'string' },
        short: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new AttackUsageError(`${error instanceof Error ? error.message : error} (${USAGE})`);
  }
}
