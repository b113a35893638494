import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** With less free space than this, Postgres and Redis can't go on. */
const FEW_BYTES = 1024 * 1024;
const SAYS_FULL = /ENOSPC|EDQUOT|no space left on device|check free disk space|disk is full|quota exceeded/i;

/** @param {string} text a program's output @returns {boolean} whether it met a full disk. */
export const saysFull = (text) => SAYS_FULL.test(text);

/**
 * @param {string[]} paths on the disks to check; the disk of temporary files is checked too
 * @returns {string | undefined} the first whose disk is full.
 */
export const fullDisk = (paths) => [...paths, tmpdir()].find((path) => freeBytes(path) < FEW_BYTES);

/**
 * Returns what to say when something failed because a disk is full; the disk may have room again by the time of the
 * check.
 * @param {unknown} error what was thrown
 * @param {string[]} paths as for `fullDisk`
 * @returns {string | undefined} one sentence; undefined when it failed for another reason.
 */
export function diskFullAdvice(error, paths) {
  const text = error instanceof Error ? `${/** @type {any} */ (error).code} ${error.message}` : String(error);
  const full = fullDisk(paths) ?? (saysFull(text) ? fullest(paths) : undefined);
  if (full === undefined) return undefined;
  return `The disk with ${full} is full: free some space there and start again, or put the data elsewhere with SECKILL_DATA_DIR.`;
}

const fullest = (paths) => [...paths, tmpdir()].reduce((a, b) => (freeBytes(b) < freeBytes(a) ? b : a));

function freeBytes(path) {
  // A folder that could not even be created is on the disk of its parent.
  if (!existsSync(path)) return freeBytes(dirname(path));
  try {
    const { bavail, bsize, files, ffree } = statfsSync(path);
    // A disk can also run out of room for new files; some systems don't count them.
    return files > 0 && ffree === 0 ? 0 : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
