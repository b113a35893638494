import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeLock } from './lock-file.mjs';
import { startMark } from './processes.mjs';

let dir;
let file;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-lock-file-'));
  file = join(dir, 'a.lock');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const me = () => ({ pid: process.pid, mark: startMark(process.pid) });

it('[L1] a lock is held once, names its holder, and leaves nothing but itself', () => {
  const lock = takeLock(file);
  expect(takeLock(file)).toEqual({ holder: me() });
  expect(readdirSync(dir)).toEqual(['a.lock']);
  lock.release?.();
  expect(readdirSync(dir)).toEqual([]);
});

it.each([
  ['its process is gone', { pid: spawnSync(process.execPath, ['-e', '']).pid, mark: 'x' }],
  ['its id was given to another process', { pid: process.pid, mark: 'some other time' }],
  ['it was cut off in the middle of a write', '{"pid":12'],
  ['it is empty', ''],
])('[L1] a lock is taken over when %s', (_why, content) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  expect(takeLock(file).release).toBeDefined();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(me());
  expect(readdirSync(dir)).toEqual(['a.lock']);
});

it('[L1] of many who take over from a dead one only one gets it', async () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, mark: 'some other time' }));
  const code = `
    import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'lock-file.mjs'))};
    console.log(takeLock(process.argv[1]).release ? 'held' : 'refused');
    setInterval(() => {}, 1000);`;
  const tries = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', code, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  try {
    const said = await Promise.all(tries.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])));
    expect(said.toSorted()).toEqual(['held\n', ...Array(5).fill('refused\n')]);
  } finally {
    for (const child of tries) child.kill('SIGKILL');
  }
});
