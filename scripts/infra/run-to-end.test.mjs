import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '@/test/support/eventually';
import { isAlive } from './processes.mjs';
import { runToEnd, stopPrograms } from './run-to-end.mjs';

let dir;
let logFile;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-tool-'));
  logFile = join(dir, 'tool.log');
  writeFileSync(logFile, 'Error: what the run before had printed\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const run = (code, options = {}) =>
  runToEnd({
    what: 'It failed',
    command: process.execPath,
    args: ['-e', code],
    cwd: dir,
    logFile,
    ...options,
  });

it('[L1] what a tool printed is returned, without what the run before had left', async () => {
  const waits = [];
  expect(await run("console.log('done')", { wait: (what) => waits.push(what) })).toBe('done\n');
  expect(waits.at(-1)?.()).toBe('done');
});

it('[L1] a failure is told with its reason in one line, and what to do', async () => {
  await expect(run("throw new Error('no such table')")).rejects.toThrow(
    `It failed: Error: no such table. The whole output is in ${logFile}.`,
  );
  await expect(run('process.exit(3)')).rejects.toThrow('It failed: exit code 3. ');
  await expect(run('process.kill(process.pid, "SIGKILL")', { advice: 'Try again.' })).rejects.toThrow(
    'It failed: SIGKILL. Try again.',
  );
  await expect(run("console.log('write ENOSPC'); process.exit(1)")).rejects.toThrow(
    'It failed: the disk is full. Make room and try again.',
  );
  await expect(run('', { command: join(dir, 'nowhere') })).rejects.toThrow(
    'It failed: it could not be started.',
  );
});

it('[N1] what is for us alone is in no file, however much it is', async () => {
  const said = await run("process.stdout.write('secret '.repeat(100_000)); console.error('a warning')", {
    isPrivate: true,
  });
  expect(said).toBe('secret '.repeat(100_000));
  expect(readFileSync(logFile, 'utf8')).toBe('Error: what the run before had printed\na warning\n');
});

it('[L1] a tool that is told to stop has ended when that is said, also one that does not listen', async () => {
  const files = ['deaf', 'obedient'].map((name) => join(dir, name));
  const answers = ['{}', 'setTimeout(() => process.exit(7), 300)'];
  const ends = files.map((file, at) =>
    run(`process.on('SIGTERM', () => ${answers[at]}); setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid));`).catch(
      ({ message }) => message,
    ),
  );
  await eventually(() => expect(files.every((file) => existsSync(file))).toBe(true));
  await stopPrograms();
  expect(files.map((file) => isAlive(Number(readFileSync(file, 'utf8'))))).toEqual([false, false]);
  expect(await Promise.all(ends)).toEqual([
    expect.stringContaining('It failed: SIGKILL.'),
    expect.stringContaining('It failed: exit code 7.'),
  ]);
});
