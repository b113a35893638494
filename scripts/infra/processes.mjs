import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** @param {number} pid @returns {boolean} whether any process has this id, even a zombie. */
export function hasEntry(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @param {number} pid @returns {boolean} whether a process with this id runs (a zombie does not). */
export function isAlive(pid) {
  return hasEntry(pid) && processState(pid) !== 'Z';
}

function processState(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  } catch {
    return '';
  }
}

/**
 * Returns a running process's command line, '' when it is gone or can't be read. Tries /proc first: slim container
 * images have no `ps`.
 * @param {number} pid
 */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ps(pid, 'command=');
  }
}

function ps(pid, column) {
  try {
    const args = ['-ww', '-o', column, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/**
 * Returns when a process started, in whatever unit the system gives. Together with the id that identifies a process
 * for good, while the system reuses ids.
 * @param {number} pid @returns {string} '' when it is gone.
 */
export function startMark(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Ticks since boot, and the id of that boot.
    return `${fields[19]}@${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return ps(pid, 'lstart=');
  }
}

/** @param {number} pid @returns {number} its parent's id, 0 when unknown. */
export function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return Number(ps(pid, 'ppid=')) || 0;
  }
}

/** @param {{ pid: number, mark: string }} known @returns {boolean} whether exactly this process still runs. */
export function isSameProcess({ pid, mark }) {
  return isAlive(pid) && mark !== '' && startMark(pid) === mark;
}

/**
 * Asks a process that is not our child to end, and kills it if it does not within `graceMs`.
 * @param {number} pid
 * @param {{ signal?: NodeJS.Signals, graceMs?: number }} [options]
 */
export async function endProcess(pid, { signal = 'SIGTERM', graceMs = 5_000 } = {}) {
  for (const next of [signal, 'SIGKILL']) {
    try {
      process.kill(pid, next);
    } catch {
      return;
    }
    const deadline = Date.now() + graceMs;
    while (isAlive(pid) && Date.now() < deadline) await sleep(25);
    if (!isAlive(pid)) return;
  }
}

/**
 * Says whether a child of ours has ended, or never ran.
 * @param {import('node:child_process').ChildProcess} child
 */
export const hasEnded = (child) =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/**
 * Calls back when a child of ours has ended, at once if it already has.
 * @param {import('node:child_process').ChildProcess} child
 * @param {(how: string) => void} onEnd gets the signal or the exit code
 */
export function whenEnded(child, onEnd) {
  const how = () =>
    child.pid === undefined ? 'it could not be started' : (child.signalCode ?? `exit code ${child.exitCode}`);
  if (hasEnded(child)) onEnd(how());
  else child.once('exit', () => onEnd(how()));
}

/**
 * Stops a child of ours: sends `signal`, then SIGKILL after `graceMs`. Resolves when it has ended.
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ signal?: NodeJS.Signals, graceMs?: number }} [options]
 * @returns {Promise<boolean>} whether it ended without being killed.
 */
export function stopChild(child, { signal = 'SIGTERM', graceMs = 5_000 } = {}) {
  if (hasEnded(child)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', (_code, endedBy) => {
      clearTimeout(timer);
      resolve(endedBy !== 'SIGKILL');
    });
    child.kill(signal);
  });
}
