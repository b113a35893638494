import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, endProcess, hasEntry, isAlive } from './processes.mjs';

const BACKENDS_GONE_TIMEOUT_MS = 10_000;

/**
 * Cleans up for a start after Postgres was killed. Postgres replaces a pid file whose process is gone, but refuses to
 * start while any process has that id: a server of ours that survived (we end it), a zombie that no init collects, or
 * an unrelated process that got the id (then we remove the file).
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
  // Postgres can't tell without its file whether the old server's backends still write, so we check that.
  await waitUntilBackendsGone(Number(sharedMemory?.trim().split(/\s+/)[1]));
  rmSync(file, { force: true });
}

async function waitUntilBackendsGone(sharedMemoryId) {
  const deadline = Date.now() + BACKENDS_GONE_TIMEOUT_MS;
  while (attachedTo(sharedMemoryId) > 0 && Date.now() < deadline) await sleep(50);
}

/** Returns how many processes use a System V shared memory segment; 0 where the system does not say. */
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
