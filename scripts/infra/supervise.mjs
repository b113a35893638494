import { openChildRecord } from './child-record.mjs';
import { endOrphans } from './end-orphans.mjs';
import { keepPart } from './keep-part.mjs';
import { findMarked } from './part-mark.mjs';
import { rotateOpenLog } from './rotate-log.mjs';

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
 * Keeps the parts running, each for itself, for as long as it takes. Parts stay in our process group, so that killing the
 * group ends them all.
 * @param {{ dir: string, say: (line: string) => void, onNeverUp: (reason: string) => void, firstBackoffMs?: number,
 *   steadyMs?: number, rotateEveryMs?: number, drainMs?: number, appGraceMs?: number, storeGraceMs?: number }} options
 *   `dir`: data directory; `onNeverUp`: called for a part that crashes again and again before `settle`; `drainMs`: how
 *   long the web process goes on when it is told to end
 */
export function createSupervisor({
  dir,
  say,
  onNeverUp,
  rotateEveryMs = ROTATE_EVERY_MS,
  drainMs = 0,
  appGraceMs = APP_GRACE_MS,
  storeGraceMs = STORE_GRACE_MS,
  ...pace
}) {
  /** @type {Map<string, ReturnType<typeof keepPart>>} */
  const parts = new Map();
  const childRecord = openChildRecord(dir);
  let isStopping = false;
  let isSettled = false;

  const stopRotating = rotateRegularly(parts, rotateEveryMs);
  const findRunning = () => [...parts.values()].flatMap(({ running }) => running());

  function onSpawn(name) {
    childRecord.write(findRunning());
    // The order to stop may have come while the part was being launched.
    if (isStopping) void parts.get(name)?.stop(storeGraceMs);
  }

  function mayRestart(what, failures) {
    if (isStopping) return false;
    if (isSettled || failures < MOST_FIRST_CRASHES) return true;
    onNeverUp(`${what} That was ${failures} times in a row.`);
    return false;
  }

  return {
    /** Starts a part and keeps it running. @param {import('./keep-part.mjs').Part} part @throws what its first launch throws */
    async add(part) {
      const kept = keepPart(part, { ...pace, dir, say, mayRestart, onSpawn: () => onSpawn(part.name) });
      parts.set(part.name, kept);
      await kept.start();
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
      stopRotating();
      for (const { cancelRestart } of parts.values()) cancelRestart();
      const areAppsClean = await stopAll(parts, { areStores: false, graceMs });
      const leftMs = Math.max(0, graceMs - (Date.now() - stoppingSince));
      const areStoresClean = await stopAll(parts, { areStores: true, graceMs: storeGraceMs + leftMs });
      // Ends processes that a killed part has left, such as the Next process of a killed web process.
      await endOrphans(dir, { graceMs: ORPHAN_GRACE_MS });
      return areAppsClean && areStoresClean;
    },
    /** Kills every part at once. */
    kill() {
      isStopping = true;
      stopRotating();
      // Skips a child that could not be started: it has no id, and a signal to it would reach our whole group.
      for (const { pid } of [...findRunning(), ...findMarked(dir)]) kill(pid);
    },
  };
}

/** Ends the stores, or all others, side by side. Returns whether all ended by themselves. */
async function stopAll(parts, { areStores, graceMs }) {
  const those = [...parts.values()].filter(({ part }) => Boolean(part.isStore) === areStores);
  const areClean = await Promise.all(those.map(({ stop }) => stop(graceMs)));
  return areClean.every(Boolean);
}

/** Puts logs aside that have grown too large. Returns the function that stops it. */
function rotateRegularly(parts, everyMs) {
  const timer = setInterval(() => {
    for (const { part } of parts.values()) {
      try {
        rotateOpenLog(part.logFile);
      } catch {
        // The disk has no room for both files; the next check tries again.
      }
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended by itself.
  }
}
