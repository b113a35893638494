import { readFileSync } from 'node:fs';

/** How many streams one process may hold open; each costs about 16 KB. */
const MAX_STREAMS = 20_000;
/** The bound where the system doesn't say how many files a process may open. */
const CAUTIOUS_STREAMS = 4_000;
/** The other files are for purchases, which need a connection too: if they can't connect, nothing else matters. */
const SHARE_OF_FILES = 0.75;
/** A crowd may share one address (a company, a mobile network), but may not take a fifth of the shop. */
export const MAX_STREAMS_PER_CLIENT = 1_000;

let known: number | undefined;

/** Returns how many event streams this process may hold: at most three quarters of the files it may open. */
export function streamCapacity(): number {
  known ??= Math.min(MAX_STREAMS, Math.floor(readFileLimit() * SHARE_OF_FILES));
  return known;
}

function readFileLimit(): number {
  try {
    const limit = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY;
    return Number(limit) || CAUTIOUS_STREAMS / SHARE_OF_FILES;
  } catch {
    return CAUTIOUS_STREAMS / SHARE_OF_FILES;
  }
}
