import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, endProcess, hasEntry, isAlive } from './processes.mjs';

const BACKENDS_GONE_TIMEOUT_MS = 10_000;

/**
 * Prepares for a start what a killed one left. Postgres takes over from a pid file whose process is gone, but refuses
 * as long as any process has that id: a server of ours that survived (it is ended), a zombie nobody collects (a
 * container without an init), or a stranger who was given the id (then the file is removed).
 * @param {string} dir the cluster's folder
 */
export async function clearPidFile(dir) {
  const file = join(dir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [first, , , , , , sharedMemory] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(first);
  if (!(pid > 0)) {
    rmSync(file, { force: true });
    return;
  }
  if (isAlive(pid) && commandLine(pid).includes(dir))
    await endProcess(pid, { signal: 'SIGINT', graceMs: 8_000 });
  if (!hasEntry(pid)) return;
  // Without its file Postgres can't tell whether backends of the old server still write, so we look for it.
  await backendsGone(Number(sharedMemory?.trim().split(/\s+/)[1]));
  rmSync(file, { force: true });
}

async function backendsGone(sharedMemoryId) {
  const deadline = Date.now() + BACKENDS_GONE_TIMEOUT_MS;
  while (attachedTo(sharedMemoryId) > 0 && Date.now() < deadline) await sleep(50);
}

/** How many processes use a System V shared memory segment; 0 where the system does not say. */
function attachedTo(id) {
  try {
    const [head, ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n');
    const names = head.trim().split(/\s+/);
    const row = rows
      .map((line) => line.trim().split(/\s+/))
      .find((row) => Number(row[names.indexOf('shmid')]) === id);
    return Number(row?.[names.indexOf('nattch')] ?? 0);
  } catch {
    return 0;
  }
}
