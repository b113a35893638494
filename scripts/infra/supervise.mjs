import { openChildRecord } from './child-record.mjs';
import { endOrphans } from './end-orphans.mjs';
import { fullDisk } from './full-disk.mjs';
import { findMarked, partMark } from './part-mark.mjs';
import { sentence } from './problem.mjs';
import { hasEnded, stopChild, whenEnded } from './processes.mjs';
import { lastLine, logSize } from './read-log.mjs';
import { rotateOpenLog } from './rotate-log.mjs';

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** A part that has run this long is sound again: earlier failures no longer count. */
const STEADY_MS = 30_000;
/** How often the supervisor checks the logs' size. */
const ROTATE_EVERY_MS = 60_000;
/** A part that crashes this often in a row before the product was ever ready will never run. */
const MOST_FIRST_CRASHES = 5;
/**
 * How long web, worker and executor have to finish. The stores after them have 3 s and whatever is left of that:
 * everything ends within 10 s.
 */
const APP_GRACE_MS = 5_500;
const STORE_GRACE_MS = 3_000;
const ORPHAN_GRACE_MS = 500;

/**
 * @typedef {import('node:child_process').ChildProcess} Child
 * @typedef {{ name: string, isStore?: boolean, stopSignal?: NodeJS.Signals, logFile: string, launch: (onSpawn:
 *   (child: Child) => void, mark: Record<string, string>) => Promise<void> | void }} Part `launch` passes each
 *   process to `onSpawn` at once, puts `mark` into its environment, and resolves when it is up.
 */

/**
 * Keeps the parts running: restarts each part that ends, with growing pauses, for as long as it takes. Says once what
 * ended, why, and when the next try comes. Parts stay in our process group, so that killing the group ends them all.
 * @param {{ dir: string, say: (line: string) => void, onNeverUp: (reason: string) => void, firstBackoffMs?: number,
 *   steadyMs?: number, rotateEveryMs?: number, drainMs?: number, appGraceMs?: number, storeGraceMs?: number }} options
 *   `dir`: data directory; `onNeverUp`: called for a part that crashes again and again before `settle`; `drainMs`: how
 *   long the web process goes on when it is told to end
 */
export function createSupervisor({
  dir,
  say,
  onNeverUp,
  firstBackoffMs = FIRST_BACKOFF_MS,
  steadyMs = STEADY_MS,
  rotateEveryMs = ROTATE_EVERY_MS,
  drainMs = 0,
  appGraceMs = APP_GRACE_MS,
  storeGraceMs = STORE_GRACE_MS,
}) {
  /** @type {Map<string, { part: Part, child?: Child, failures: number, said: string, timer?: NodeJS.Timeout, launching?: Promise<void> }>} */
  const parts = new Map();
  const childRecord = openChildRecord(dir);
  let isStopping = false;
  let isSettled = false;

  const rotating = setInterval(() => {
    for (const { part } of parts.values()) rotate(part.logFile);
  }, rotateEveryMs);
  rotating.unref();

  const record = () =>
    childRecord.write(
      [...parts.values()].flatMap(({ part, child }) =>
        child?.pid && !hasEnded(child) ? [{ name: part.name, pid: child.pid }] : [],
      ),
    );

  async function launch(entry) {
    const { part } = entry;
    const logFrom = logSize(part.logFile);
    const onSpawn = (child) => {
      entry.child = child;
      record();
      // The order to stop may have come while the part was being launched.
      if (isStopping) void stopOne(entry, storeGraceMs);
    };
    await part.launch(onSpawn, partMark(dir, part.name));
    entry.timer = setTimeout(() => forgive(entry), steadyMs);
    entry.timer.unref();
    whenEnded(entry.child, (how) => {
      const full = fullDisk([dir]);
      const why = full ? `the disk with ${full} is full` : lastLine(part.logFile, logFrom);
      const reason = why ? `${how}: ${why}` : how;
      onFailure(entry, `The ${part.name} ended (${reason}); its log is ${part.logFile}.`);
    });
  }

  function onFailure(entry, what) {
    if (isStopping) return;
    clearTimeout(entry.timer);
    entry.failures += 1;
    if (!isSettled && entry.failures >= MOST_FIRST_CRASHES) {
      onNeverUp(`${what} That was ${entry.failures} times in a row.`);
      return;
    }
    const pauseMs = Math.min(firstBackoffMs * 2 ** (entry.failures - 1), LONGEST_BACKOFF_MS);
    tell(entry, what, pauseMs);
    entry.timer = setTimeout(() => relaunch(entry), pauseMs);
  }

  /** Says it once for each reason, and once more when the pauses have stopped growing. */
  function tell(entry, what, pauseMs) {
    const isLongest = pauseMs === LONGEST_BACKOFF_MS;
    const news = `${isLongest} ${what.replace(/\d+/g, '#')}`;
    if (entry.said === news) return;
    entry.said = news;
    const pause = `${pauseMs / 1000} s`;
    const next = isLongest
      ? `That was ${entry.failures} times; from now on it is tried every ${pause}.`
      : `It is started again in ${pause}.`;
    say(`  ${what} ${next}`);
  }

  function relaunch(entry) {
    entry.launching = launch(entry).catch((error) => onFailure(entry, sentence(error)));
  }

  function forgive(entry) {
    if (entry.failures > 0) say(`  The ${entry.part.name} runs again.`);
    entry.failures = 0;
    entry.said = '';
  }

  async function stopOne({ part, child }, graceMs) {
    if (!child || (await stopChild(child, { signal: part.stopSignal, graceMs }))) return true;
    say(
      `  The ${part.name} did not end within ${(graceMs / 1000).toFixed(1)} s and was killed; its log is ${part.logFile}.`,
    );
    return false;
  }

  const stopAll = async (entries, graceMs) => {
    const areClean = await Promise.all(entries.map((entry) => stopOne(entry, graceMs)));
    await Promise.allSettled(entries.map(({ launching }) => launching));
    return areClean.every(Boolean);
  };

  return {
    /** Starts a part and keeps it running. @param {Part} part @throws what its first launch throws */
    async add(part) {
      const entry = { part, failures: 0, said: '' };
      parts.set(part.name, entry);
      entry.launching = launch(entry);
      await entry.launching;
    },
    /** The product is ready: from now on the supervisor gives no part up. */
    settle() {
      isSettled = true;
    },
    /**
     * Ends every part: first those that serve and work, then the stores they write to.
     * @returns {Promise<boolean>} whether all ended by themselves.
     */
    async stop() {
      isStopping = true;
      const stoppingSince = Date.now();
      const graceMs = appGraceMs + drainMs;
      clearInterval(rotating);
      const entries = [...parts.values()];
      for (const { timer } of entries) clearTimeout(timer);
      const areAppsClean = await stopAll(
        entries.filter(({ part }) => !part.isStore),
        graceMs,
      );
      const areStoresClean = await stopAll(
        entries.filter(({ part }) => part.isStore),
        storeGraceMs + Math.max(0, graceMs - (Date.now() - stoppingSince)),
      );
      // Ends processes that a killed part has left, such as the Next process of a killed web process.
      await endOrphans(dir, { graceMs: ORPHAN_GRACE_MS });
      return areAppsClean && areStoresClean;
    },
    /** Kills every part at once. */
    kill() {
      isStopping = true;
      clearInterval(rotating);
      for (const { child } of parts.values()) {
        // Skips a child without an id: until Node has reported that it could not be started, a signal to it would
        // kill our whole group.
        if (child && !hasEnded(child)) child.kill('SIGKILL');
      }
      for (const { pid } of findMarked(dir)) kill(pid);
    },
  };
}

function rotate(file) {
  try {
    rotateOpenLog(file);
  } catch {
    // The disk has no room for both files; the next check tries again.
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended by itself.
  }
}
