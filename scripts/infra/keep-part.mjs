import { fullDisk } from './full-disk.mjs';
import { partMark } from './part-mark.mjs';
import { sentence } from './problem.mjs';
import { hasEnded, stopChild, whenEnded } from './processes.mjs';
import { lastLine, logSize } from './read-log.mjs';

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** A part that has run this long is sound again: earlier failures no longer count. */
const STEADY_MS = 30_000;

/**
 * @typedef {import('node:child_process').ChildProcess} Child
 * @typedef {{ name: string, isStore?: boolean, stopSignal?: NodeJS.Signals, logFile: string, launch: (onSpawn:
 *   (child: Child) => void, mark: Record<string, string>) => Promise<void> | void }} Part `launch` passes each
 *   process to `onSpawn` at once, puts `mark` into its environment, and resolves when it is up.
 */

/**
 * Keeps one part running: restarts it whenever it ends, with growing pauses. Says once what ended, why, and when the
 * next try comes.
 * @param {Part} part
 * @param {{ dir: string, say: (line: string) => void, onSpawn: () => void, mayRestart: (what: string, failures: number)
 *   => boolean, firstBackoffMs?: number, steadyMs?: number }} options `dir`: data directory; `mayRestart`: asked after
 *   each failure, with how many there were in a row
 */
export function keepPart(
  part,
  { dir, say, onSpawn, mayRestart, firstBackoffMs = FIRST_BACKOFF_MS, steadyMs = STEADY_MS },
) {
  /** @type {Child | undefined} */
  let child;
  let failures = 0;
  let said = '';
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<void> | undefined} */
  let launching;

  async function launch() {
    const logFrom = logSize(part.logFile);
    const keep = (spawned) => {
      child = spawned;
      onSpawn();
    };
    await part.launch(keep, partMark(dir, part.name));
    timer = setTimeout(forgive, steadyMs);
    timer.unref();
    whenEnded(child, (how) => onFailure(howItEnded(part, { how, dir, logFrom })));
  }

  function onFailure(what) {
    clearTimeout(timer);
    failures += 1;
    if (!mayRestart(what, failures)) return;
    const pauseMs = Math.min(firstBackoffMs * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
    // Says it once for each reason, and once more when the pauses have stopped growing.
    const news = `${pauseMs === LONGEST_BACKOFF_MS} ${what.replace(/\d+/g, '#')}`;
    if (said !== news) say(`  ${what} ${nextTry(failures, pauseMs)}`);
    said = news;
    timer = setTimeout(() => {
      launching = launch().catch((error) => onFailure(sentence(error)));
    }, pauseMs);
  }

  function forgive() {
    if (failures > 0) say(`  The ${part.name} runs again.`);
    failures = 0;
    said = '';
  }

  return {
    part,
    /** @returns {{ name: string, pid: number }[]} its process, while one runs. */
    running: () => (child?.pid && !hasEnded(child) ? [{ name: part.name, pid: child.pid }] : []),
    /** @returns {Promise<void>} when it is up. @throws what its launch throws */
    start() {
      launching = launch();
      return launching;
    },
    /** Ends the wait for the next try. */
    cancelRestart: () => clearTimeout(timer),
    /** @param {number} graceMs @returns {Promise<boolean>} whether its process ended by itself. */
    async stop(graceMs) {
      const isClean = !child || (await stopChild(child, { signal: part.stopSignal, graceMs }));
      const seconds = (graceMs / 1000).toFixed(1);
      if (!isClean)
        say(`  The ${part.name} did not end within ${seconds} s and was killed; its log is ${part.logFile}.`);
      await Promise.allSettled([launching]);
      return isClean;
    },
  };
}

/** @param {Part} part @param {{ how: string, dir: string, logFrom: number }} options */
function howItEnded({ name, logFile }, { how, dir, logFrom }) {
  const full = fullDisk([dir]);
  const why = full ? `the disk with ${full} is full` : lastLine(logFile, logFrom);
  return `The ${name} ended (${why ? `${how}: ${why}` : how}); its log is ${logFile}.`;
}

function nextTry(failures, pauseMs) {
  const pause = `${pauseMs / 1000} s`;
  return pauseMs === LONGEST_BACKOFF_MS
    ? `That was ${failures} times; from now on it is tried every ${pause}.`
    : `It is started again in ${pause}.`;
}
