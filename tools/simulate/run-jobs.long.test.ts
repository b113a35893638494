import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Longer than the project's: each runs for half a minute. */
const TIMEOUT_MS = 600_000;
const SCRIPT = join(import.meta.dirname, '../simulate.ts');

/** Runs `npm run simulate` and returns its output and exit code. */
async function simulate(...args: string[]) {
  const command = ['--import', 'tsx', '--conditions=react-server', SCRIPT, '--seed', '1', ...args];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, command);
    return { code: 0, lines: stdout.split('\n') };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, lines: stdout.split('\n') };
  }
}
/** Leaves out the last line, which tells how long the run took. */
const sums = (lines: string[]) => lines.filter((line) => /^(injected|purchases|orders)/.test(line));

it(
  '[J4] two processes run the same schedules as one',
  async () => {
    const [one, two] = [
      await simulate('--schedules', '41', '--jobs', '1'),
      await simulate('--schedules', '41', '--jobs', '2'),
    ];
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(sums(one.lines)).toHaveLength(3);
    expect(sums(two.lines)).toEqual(sums(one.lines));
    expect(two.lines.at(-2)).toMatch(/^41 schedules in .+; 0 with a broken promise$/);
  },
  TIMEOUT_MS,
);

it(
  '[J4] a promise broken in another process ends with code 1 and its seed',
  async () => {
    const { code, lines } = await simulate('--schedules', '60', '--jobs', '3', '--bug', 'release-unchecked');
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/✗ .+\n.+again: npm run simulate -- --schedules 1 --seed \d+/);
  },
  TIMEOUT_MS,
);
