import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openChildRecord } from './child-record.mjs';
import { partMark } from './part-mark.mjs';
import { isAlive, startMark } from './processes.mjs';
import { takeStartLock } from './start-lock.mjs';

let dir;
const children = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seckill-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function sleeper(env = {}) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  children.push(child);
  return child;
}

it('[L1] the lock is held against a second start and free after its release', async () => {
  const lock = await takeStartLock(dir);
  await expect(takeStartLock(dir)).rejects.toThrow(/already uses/);
  lock.release();
  await expect(takeStartLock(dir)).resolves.toMatchObject({ orphans: [] });
});

it('[L1] what outlived its supervisor is ended; a stranger who got its id is left alone', async () => {
  const orphan = sleeper();
  const stranger = sleeper();
  openChildRecord(dir).write([{ name: 'worker', pid: orphan.pid }]);
  const file = join(dir, 'children.json');
  const [known] = JSON.parse(readFileSync(file, 'utf8'));
  expect(known.mark).toBe(startMark(orphan.pid));
  const other = { name: 'redis', pid: stranger.pid, mark: 'an earlier process' };
  writeFileSync(file, JSON.stringify([known, other]));
  const lock = await takeStartLock(dir);
  expect(lock.orphans).toEqual(['worker']);
  expect([isAlive(orphan.pid), isAlive(stranger.pid)]).toEqual([false, true]);
});

it.runIf(existsSync('/proc/self/environ'))(
  '[L1] what was never recorded is found by its mark; that of another product is left alone',
  async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'seckill-lock-'));
    try {
      const orphan = sleeper(partMark(dir, 'web'));
      const other = sleeper(partMark(elsewhere, 'web'));
      expect((await takeStartLock(dir)).orphans).toEqual(['web']);
      expect([isAlive(orphan.pid), isAlive(other.pid)]).toEqual([false, true]);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  },
);

it('[L1] the record of what runs is rewritten where it stands: it needs no new space on the disk', () => {
  const record = openChildRecord(dir);
  const sizes = [[], Array.from({ length: 5 }, () => ({ name: 'worker', pid: process.pid })), []].map(
    (now) => {
      record.write(now);
      const text = readFileSync(join(dir, 'children.json'), 'utf8');
      expect(JSON.parse(text)).toHaveLength(now.length);
      return text.length;
    },
  );
  expect(new Set(sizes).size).toBe(1);
});
