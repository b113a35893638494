import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const NASTY = [
  '/a\n{"level":30,"msg":"all is well"}',
  '/a\r\n\t\0b',
  '/\u001b[2J\u001b]0;owned\u0007',
  '/\u2028\u2029\u0085\u009b',
  '/"},{"x":"',
  '/%0d%0a \\ \\"',
  '/%s %d %o %j',
];
const run = (code: string, stdout: number | 'pipe') =>
  spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=react-server', '--input-type=module', '-e', code],
    { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] },
  );
const CODE = `
  import { log } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
  for (let at = 0; at < 20_000; at += 1) log.info({ at }, 'x'.repeat(200));
  console.error('alive, in little memory:', process.memoryUsage().rss < 300 * 2 ** 20);`;

it('[N8] what strangers send stays within its line, which is JSON with the time in UTC', () => {
  const code = `
    import { log } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
    for (const path of ${JSON.stringify(NASTY)}) log.warn({ path, err: new Error(path) }, 'refused');`;
  const { stdout } = run(code, 'pipe');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(NASTY.length);
  lines.forEach((line, at) => {
    // The line has no character that a terminal or another reader of lines would take for more than text.
    expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
    const { time, path, msg } = JSON.parse(line);
    expect({ path, msg }).toEqual({ path: NASTY[at], msg: 'refused' });
    expect(time).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  });
});

it.runIf(existsSync('/dev/full'))(
  '[J4] a process whose log is on a full disk goes on, in bounded memory',
  () => {
    const full = openSync('/dev/full', 'w');
    try {
      const { status, stderr } = run(CODE, full);
      expect({ status, stderr }).toEqual({ status: 0, stderr: 'alive, in little memory: true\n' });
    } finally {
      closeSync(full);
    }
  },
);
