import { readArguments, SEEDS } from '@/tools/harness/arguments';

const SCENARIO_NAMES = ['crowd', 'waiting-room', 'hoarders', 'office', 'flood', 'draw'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export type AttackArguments = {
  scenarios: readonly ScenarioName[];
  seed: number;
  json: string | null;
  /** True: few people and bots, and only the recommended settings. */
  isShort: boolean;
};

/** Reads the command line. Returns the scenarios in the list's order. @throws UsageError when called wrongly. */
export function parseAttackArguments(args: readonly string[]): AttackArguments {
  const given = readArguments('attack', args);
  const wanted = given.names('scenario', SCENARIO_NAMES) ?? SCENARIO_NAMES;
  return {
    scenarios: SCENARIO_NAMES.filter((name) => wanted.includes(name)),
    seed: given.wholeNumber('seed', SEEDS) ?? 1,
    json: given.path('json') ?? null,
    isShort: given.isSet('short'),
  };
}
