import { readFileSync } from 'node:fs';

/** Assumed where the system names no limit. */
const CAUTIOUS_LIMIT = 5_300;

let known: number | undefined;

/** Returns how many files, connections among them, this process may have open. */
export function fileLimit(): number {
  known ??= read();
  return known;
}

function read(): number {
  try {
    const limit = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === 'unlimited') return Number.POSITIVE_INFINITY;
    return Number(limit) || CAUTIOUS_LIMIT;
  } catch {
    return CAUTIOUS_LIMIT;
  }
}
