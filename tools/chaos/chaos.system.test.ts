import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseChaosArguments } from './arguments';
import { describeRound } from './report';
import { runChaos } from './run-chaos';

const ROOT = join(import.meta.dirname, '../..');
// Three short sales on the existing build; fewer where a sale takes longer. One
// web process stays up, so that shoppers get through on a slow machine, too.
const ROUNDS = ['--rounds', '3', '--for-sec', '90', '--seed', '4'];
const SHORT = ['--load-sec', '4', '--shoppers', '60', '--per-round', '4'];
const FAULTS = [
  '--faults',
  'kill-redis,kill-web-2,kill-worker,kill-postgres,mute-redis,slow-redis,fill-redis,crowd-postgres,shuffle-entries',
];

it('[E3 E7 I9 J4] sales under fire keep every promise: nothing oversold, nothing lost, no money astray', async () => {
  const options = [...SHORT, ...FAULTS];
  const reports = await runChaos(ROOT, parseChaosArguments([...ROUNDS, ...options]), options, () => {});
  const last = reports.at(-1);
  expect(last && { text: describeRound(last).join('\n'), broken: last.violations }).toMatchObject({
    broken: [],
  });
  // Checks that some faults happened, however slow the machine.
  expect(reports.flatMap(({ faults }) => faults).length).toBeGreaterThanOrEqual(2);
  expect(reports.some(({ answers }) => (answers['202'] ?? 0) > 0)).toBe(true);
}, 600_000);
