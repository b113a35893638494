import { cpuTicks } from './cpu-ticks.mjs';
import { logSize } from './read-log.mjs';

/** A process that runs but has shown no sign of work for this long will show none later. */
const STUCK_MS = 600_000;
const LOOK_EVERY_MS = 5_000;

/** @returns {string} the reason, in words for a person. */
export const stuckReason = () => `no progress in ${STUCK_MS / 60_000} minutes`;

/**
 * Calls `onStuck` when the result of `look` has stayed the same for ten minutes. Slowness alone ends nothing: a busy
 * machine takes fifty times as long.
 * @param {() => unknown} look compared as text
 * @param {() => void} onStuck called once
 * @returns {() => void} stops watching.
 */
export function watchForProgress(look, onStuck) {
  let last = String(look());
  let since = performance.now();
  const timer = setInterval(() => {
    const now = String(look());
    if (now !== last) since = performance.now();
    last = now;
    if (performance.now() - since < STUCK_MS) return;
    clearInterval(timer);
    onStuck();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Returns a function that reads what changes while a process works: its log, and the processor time of everything it
 * has started.
 * @param {import('node:child_process').ChildProcess} child @param {string} logFile
 * @returns {() => string} for `watchForProgress`; where processor time can't be read, nothing ever counts as stuck
 */
export const signsOfLife = (child, logFile) => () =>
  `${logSize(logFile)} ${cpuTicks(child.pid ?? 0) ?? Date.now()}`;
