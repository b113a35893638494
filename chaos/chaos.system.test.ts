import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseChaosArguments } from './arguments';
import { describeRound } from './report';
import { runChaos } from './run-chaos';

const ROOT = join(import.meta.dirname, '..');
// A short sale, on the build that is there: Redis and a web process are killed, and the worker while it has a batch.
const ROUND = ['--rounds', '1', '--seed', '7', '--load-sec', '6', '--shoppers', '80', '--per-round', '4'];
const FAULTS = ['--faults', 'kill-redis,kill-web-2,mute-redis,kill-worker,kill-postgres'];

it('[E3 E7 I9 J4] a sale under fire keeps every promise: nothing oversold, nothing lost, no money astray', async () => {
  const lines: string[] = [];
  const [report] = await runChaos(ROOT, parseChaosArguments([...ROUND, ...FAULTS]), FAULTS, (line) =>
    lines.push(line),
  );
  expect(report && { text: describeRound(report).join('\n'), broken: report.violations }).toMatchObject({
    broken: [],
  });
  expect(report?.faults.length).toBeGreaterThanOrEqual(2);
  expect(report?.answers['202']).toBeGreaterThan(20);
  expect(report?.orders.paid).toBeGreaterThan(10);
}, 240_000);
