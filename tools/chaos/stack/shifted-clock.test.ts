import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const TELL =
  'const d = new Date(); console.log(JSON.stringify([Date.now(), +d, +new Date(5), d instanceof Date, Object.getOwnPropertyNames(Date).sort()]))';
const HOUR_MS = 3_600_000;

it('[K5] a shifted clock is wrong by what it was told, in children, too', () => {
  const child = `require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(TELL)}], { stdio: 'inherit' })`;
  const output = execFileSync(process.execPath, ['-e', child], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: `--require ${JSON.stringify(join(import.meta.dirname, 'shifted-clock.cjs'))}`,
      CHAOS_CLOCK_SHIFT_MS: String(-24 * HOUR_MS),
    },
  });
  const [now = 0, made = 0, given, isDate, own] = JSON.parse(output);
  for (const told of [now, made]) {
    const wrongByMs = Date.now() - told;
    expect(wrongByMs).toBeGreaterThanOrEqual(24 * HOUR_MS);
    expect(wrongByMs).toBeLessThan(25 * HOUR_MS);
  }
  expect([given, isDate]).toEqual([5, true]);
  // Next builds a Date class of its own from these.
  expect(own).toEqual(expect.arrayContaining(['UTC', 'now', 'parse']));
});
