import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.mjs';
import { lastLine } from './read-log.mjs';
import { stuckReason, watchForProgress } from './watch-for-progress.mjs';

/**
 * Waits until the web process reports that everything it needs is there, as long as the list of missing things keeps
 * changing.
 * @param {{ origin: string, logFile: string, logFrom?: number, isCancelled: () => boolean, wait?:
 *   import('./progress.mjs').Wait }} options `logFrom`: where this run's part of the log begins
 * @throws {Problem} that names what is still missing after ten minutes without a change.
 */
export async function waitUntilReady({ origin, logFile, logFrom = 0, isCancelled, wait = () => {} }) {
  let said;
  const state = () => said ?? silence(logFile, logFrom);
  let isStuck = false;
  const stopWatching = watchForProgress(state, () => {
    isStuck = true;
  });
  wait(state);
  try {
    while (!isCancelled()) {
      try {
        const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
        if (response.status === 200) return;
        said = missing(await response.json());
      } catch {
        said = undefined;
      }
      if (isStuck) {
        throw new Problem(
          `The application did not become ready: ${stuckReason()} (${state()}). Its log is ${logFile}.`,
        );
      }
      await sleep(100);
    }
  } finally {
    stopWatching();
  }
}

function silence(logFile, logFrom) {
  const last = lastLine(logFile, logFrom);
  return `the web process does not answer yet${last ? `; its log ends with: ${last}` : ''}`;
}

/** @param {Record<string, { ok?: boolean, detail?: string }>} readiness e.g. `{ redis: { ok: false, detail } }` */
function missing(readiness) {
  const failing = Object.entries(readiness).filter(([, check]) => check?.ok === false);
  const names = failing.map(([name, { detail }]) => (detail ? `${name}: ${detail}` : name));
  return `waiting for ${names.join('; ') || 'the web process'}`;
}
