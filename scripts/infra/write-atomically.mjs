import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/**
 * Replaces a file so that a crash leaves either the old or the new content.
 * @param {string} file @param {string} text @param {number} [mode]
 */
export function writeAtomically(file, text, mode = 0o644) {
  const half = `${file}.${process.pid}`;
  const handle = openSync(half, 'w', mode);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(half, file);
}

/** @param {string} file @returns {any} its JSON, or undefined when the file is missing or cut off. */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
