import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive, startMark } from './processes.mjs';
import { recordChildren, takeStartLock } from './start-lock.mjs';

let dir;
const children = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function sleeper() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  return child;
}

it('[L1] the lock is held against a second start and free after its release', async () => {
  const lock = await takeStartLock(dir);
  await expect(takeStartLock(dir)).rejects.toThrow(/already uses/);
  lock.release();
  await expect(takeStartLock(dir)).resolves.toMatchObject({ orphans: [] });
});

it('[L1] the lock of a killed start is taken over, also when its id was given to another process', async () => {
  writeFileSync(join(dir, 'start.lock'), JSON.stringify({ pid: process.pid, mark: 'some other time' }));
  await takeStartLock(dir);
  expect(JSON.parse(readFileSync(join(dir, 'start.lock'), 'utf8')).mark).toBe(startMark(process.pid));
});

it('[L1] a lock cut off in the middle of a write does not block for ever', async () => {
  writeFileSync(join(dir, 'start.lock'), '{"pid":12');
  await expect(takeStartLock(dir)).resolves.toBeDefined();
});

it('[L1] what outlived its supervisor is ended; a stranger who got its id is left alone', async () => {
  const orphan = sleeper();
  const stranger = sleeper();
  recordChildren(dir, [{ name: 'worker', pid: orphan.pid }]);
  const file = join(dir, 'children.json');
  const [known] = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    JSON.stringify([known, { name: 'redis', pid: stranger.pid, mark: 'an earlier process' }]),
  );
  const lock = await takeStartLock(dir);
  expect(lock.orphans).toEqual(['worker']);
  expect(isAlive(orphan.pid)).toBe(false);
  expect(isAlive(stranger.pid)).toBe(true);
  expect(existsSync(file)).toBe(false);
});
