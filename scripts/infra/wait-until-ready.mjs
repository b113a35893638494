import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.mjs';
import { lastLine } from './supervise.mjs';

/**
 * Waits until the web process says that everything it needs is there.
 * @param {{ origin: string, timeoutMs: number, logFile: string, isCancelled: () => boolean }} options
 * @throws {Problem} that names what is missing.
 */
export async function waitUntilReady({ origin, timeoutMs, logFile, isCancelled }) {
  const deadline = Date.now() + timeoutMs;
  let last = '';
  while (!isCancelled()) {
    try {
      const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5_000) });
      if (response.status === 200) return;
      last = missing(await response.json());
    } catch {
      last ||= `it does not answer; its log ends with: ${lastLine(logFile)}`;
    }
    if (Date.now() > deadline) {
      throw new Problem(
        `The application did not become ready in ${timeoutMs / 1000} s (${last}). Its log is ${logFile}.`,
      );
    }
    await sleep(100);
  }
}

/** @param {Record<string, { ok?: boolean, detail?: string }>} readiness e.g. `{ redis: { ok: false, detail } }` */
function missing(readiness) {
  const failing = Object.entries(readiness).filter(([, check]) => check?.ok === false);
  return `waiting for ${failing.map(([name, { detail }]) => `${name}: ${detail}`).join('; ')}`;
}
