import { renameSync } from 'node:fs';
import { logSize } from './read-log.mjs';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/** Puts a log that has grown past 10 MiB aside as `.1`, in place of the one before. @param {string} file */
export function rotateLog(file) {
  if (logSize(file) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
}
