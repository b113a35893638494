import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { saysFull } from './full-disk.mjs';

/** Enough for the last lines, whatever the size of the file. */
const TAIL_BYTES = 64 * 1024;
const LONGEST_LINE = 200;

/** @param {string} file @returns {number} its bytes, 0 when there is none: what comes after them is this run's. */
export const logSize = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * The end of a log, without what earlier runs have written.
 * @param {string} file @param {number} [from] where this run began, from `logSize`
 * @returns {string} at most 64 KiB; '' when there is nothing to read
 */
export function readLog(file, from = 0) {
  let handle;
  try {
    handle = openSync(file, 'r');
    const size = logSize(file);
    // Smaller than it was: the old one was put aside, and all of this is ours.
    const start = Math.max(size < from ? 0 : from, size - TAIL_BYTES);
    const text = Buffer.alloc(size - start);
    return text.toString('utf8', 0, readSync(handle, text, 0, text.length, start));
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The last line of a log that says something; see `readLog` and `lastLineOf`. @param {string} file @param {number} [from] */
export const lastLine = (file, from) => lastLineOf(readLog(file, from));

/**
 * @param {string} text
 * @returns {string} the last line that says something, short enough for a message; '' if none does.
 */
export function lastLineOf(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line && !/^at |^}|^Node\.js v/.test(line)) ?? '';
  return inWords(last).slice(0, LONGEST_LINE);
}

/** Our processes log JSON. */
function inWords(line) {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line);
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}

/**
 * Why a server did not start, for a person.
 * @param {string} output @param {number} count how many of its last lines say enough
 * @param {boolean} [hasRoom] on the disk of its log: without room it could not say why
 */
export function reasonIn(output, count, hasRoom = true) {
  if (saysFull(output) || !hasRoom) return 'the disk is full';
  if (/address already in use/i.test(output)) return 'its port is taken: address already in use';
  return output.trim().split('\n').slice(-count).join(' | ') || 'it said nothing';
}
