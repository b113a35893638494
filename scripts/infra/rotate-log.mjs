import { copyFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { logSize } from './read-log.mjs';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/** Puts a log that has grown past 10 MiB aside as `.1`, in place of the one before. @param {string} file */
export function rotateLog(file) {
  if (logSize(file) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
}

/**
 * The same for a log that somebody writes to, who goes on writing to the same file: it is copied and emptied, so it has to be
 * opened for appending. What is written between the two is lost.
 * @param {string} file
 */
export function rotateOpenLog(file) {
  if (logSize(file) <= LARGEST_LOG_BYTES) return;
  const aside = `${file}.1`;
  try {
    copyFileSync(file, aside);
  } catch (error) {
    // A part of it is worth less than the room it takes.
    rmSync(aside, { force: true });
    throw error;
  }
  truncateSync(file);
}
