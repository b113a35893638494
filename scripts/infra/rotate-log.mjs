import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { logSize } from './read-log.mjs';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/** Renames a log that has grown past 10 MiB to `.1`, in place of the previous one. @param {string} file */
export function rotateLog(file) {
  if (logSize(file) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
}

/**
 * Does the same for a log that a process keeps open: copies the file and empties it, so the writer must have opened
 * it for appending. Loses what is written between the two steps.
 * @param {string} file
 */
export function rotateOpenLog(file) {
  if (logSize(file) <= LARGEST_LOG_BYTES) return;
  const aside = `${file}.1`;
  try {
    copyFileSync(file, aside);
  } catch (error) {
    // An incomplete copy is worth less than the space it takes.
    rmSync(aside, { force: true });
    throw error;
  }
  truncateSync(file);
}
