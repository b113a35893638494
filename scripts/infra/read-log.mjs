import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { saysFull } from './full-disk.mjs';

/** Enough for the last lines, whatever the size of the file. */
const TAIL_BYTES = 64 * 1024;
const LONGEST_LINE = 200;

/** @param {string} file @returns {number} its bytes, 0 when there is none: later bytes are this run's. */
export const logSize = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Returns the end of a log, without what earlier runs have written.
 * @param {string} file @param {number} [from] where this run began, from `logSize`
 * @returns {string} at most 64 KiB; '' when there is nothing to read
 */
export function readLog(file, from = 0) {
  let handle;
  try {
    handle = openSync(file, 'r');
    const size = logSize(file);
    // The file is smaller than before: the old log was put aside, and all of this one is ours.
    const start = Math.max(size < from ? 0 : from, size - TAIL_BYTES);
    const text = Buffer.alloc(size - start);
    return text.toString('utf8', 0, readSync(handle, text, 0, text.length, start));
  } catch {
    return '';
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Returns the last meaningful line of a log; see `readLog` and `lastLineOf`. @param {string} file @param {number}
 * [from]
 */
export const lastLine = (file, from) => lastLineOf(readLog(file, from));

/**
 * @param {string} text
 * @returns {string} the last meaningful line, short enough for a message; '' if there is none.
 */
export function lastLineOf(text) {
  const lines = text.split('\n').map((line) => line.trim());
  const last = lines.findLast((line) => line && !/^at |^}|^Node\.js v/.test(line)) ?? '';
  return inWords(last).slice(0, LONGEST_LINE);
}

/** Our processes log JSON; this takes the message out of it. */
function inWords(line) {
  if (!line.startsWith('{')) return line;
  try {
    const { msg, err } = JSON.parse(line);
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}

/** What our processes call an error. */
const ERROR_LEVEL = 50;
const MOST_ERRORS = 10;

/**
 * Returns the last errors that our processes wrote to a log, each in one line: when, of which request, what.
 * @param {string} text @returns {string[]} at most 10
 */
export function errorsIn(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      try {
        const { level, time, requestId, path, msg, err } = JSON.parse(line);
        if (!(level >= ERROR_LEVEL)) return [];
        const said = [time, requestId, path, msg, err?.code, err?.message].filter(Boolean).join(' ');
        return [said.replaceAll('\n', ' ').slice(0, 2 * LONGEST_LINE)];
      } catch {
        return [];
      }
    })
    .slice(-MOST_ERRORS);
}

/**
 * Explains to a person why a server did not start.
 * @param {string} output @param {number} count how many of its last lines say enough
 * @param {boolean} [hasRoom] on the disk of its log: without room the server could not write the reason
 */
export function reasonIn(output, count, hasRoom = true) {
  if (saysFull(output) || !hasRoom) return 'the disk is full';
  if (/address already in use/i.test(output)) return 'its port is taken: address already in use';
  return output.trim().split('\n').slice(-count).join(' | ') || 'it said nothing';
}
