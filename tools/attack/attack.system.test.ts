import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeScenario } from './report';
import { runAttack } from './run-attack';

const ROOT = join(import.meta.dirname, '../..');
// All scenarios but the race for units: there a slow machine would decide the result.
const SCENARIOS = ['hoarders', 'office', 'flood', 'draw'] as const;

it('[E7 G7 G8 G10 M4] hoarders are blocked, an office is not, a flood stops nobody, a farm has one chance per device', async () => {
  const options = { scenarios: SCENARIOS, seed: 1, json: null, isShort: true };
  const reports = await runAttack(ROOT, options, () => {});
  expect(reports.map(({ scenario }) => scenario)).toEqual(SCENARIOS);
  const judged = reports.flatMap((report) =>
    report.targets
      .filter(({ isTimed }) => !isTimed)
      .map(({ what, isMet }) => ({ what, isMet, text: isMet ? '' : describeScenario(report).join('\n') })),
  );
  expect(judged.length).toBeGreaterThanOrEqual(6);
  expect(judged.filter(({ isMet }) => !isMet)).toEqual([]);
}, 600_000);
