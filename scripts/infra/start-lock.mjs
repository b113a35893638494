import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './problem.mjs';
import { endProcess, isSameProcess, startMark } from './processes.mjs';
import { readJson, writeAtomically } from './write-atomically.mjs';

/**
 * One start per data directory. The lock names this process; a lock whose process is gone is taken over, and what
 * its start left running (only the supervisor was killed) is ended first.
 * @param {string} dir data directory
 * @throws {Problem} when another start is alive.
 */
export async function takeStartLock(dir) {
  const file = join(dir, 'start.lock');
  const mine = { pid: process.pid, mark: startMark(process.pid) };
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(file, JSON.stringify(mine), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readJson(file);
    if (attempt > 3 || (holder && isSameProcess(holder))) {
      throw new Problem(
        `Another start (process ${holder?.pid ?? 'unknown'}) already uses ${dir}: stop it first, or set SECKILL_DATA_DIR and PORT for a second one.`,
      );
    }
    rmSync(file, { force: true });
  }
  const orphans = await endOrphans(dir);
  return { orphans, release: () => rmSync(file, { force: true }) };
}

const childrenFile = (dir) => join(dir, 'children.json');

/**
 * Remembers what runs, so that the next start can end what outlived this one.
 * @param {string} dir @param {{ name: string, pid: number }[]} children
 */
export function recordChildren(dir, children) {
  const marked = children.map((child) => ({ ...child, mark: startMark(child.pid) }));
  writeAtomically(childrenFile(dir), JSON.stringify(marked));
}

/** Those that write to the stores first, the stores last. */
async function endOrphans(dir) {
  const left = (readJson(childrenFile(dir)) ?? []).filter(isSameProcess);
  const isStore = (child) => child.name === 'postgres' || child.name === 'redis';
  for (const group of [left.filter((child) => !isStore(child)), left.filter(isStore)]) {
    const end = (child) =>
      endProcess(child.pid, { signal: child.name === 'postgres' ? 'SIGINT' : 'SIGTERM' });
    await Promise.all(group.map(end));
  }
  rmSync(childrenFile(dir), { force: true });
  return left.map((child) => child.name);
}
