import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from './problem.mjs';
import { hasEnded, stopChild } from './processes.mjs';
import { recordChildren } from './start-lock.mjs';

/** A part that ran shorter than this before it ended has crashed "fast". */
const FAST_CRASH_MS = 30_000;
const MOST_FAST_CRASHES = 5;
const FIRST_BACKOFF_MS = 500;
/** Web, worker and executor finish what they do in this time; with the stores' 3 s after it, all is over in 10 s. */
const APP_GRACE_MS = 5_500;
const STORE_GRACE_MS = 3_000;

/**
 * @typedef {import('node:child_process').ChildProcess} Child
 * @typedef {{ name: string, isStore?: boolean, stopSignal?: NodeJS.Signals, logFile: string,
 *   launch: (onSpawn: (child: Child) => void) => Promise<void> | void }} Part
 *   `launch` names its process at once and resolves when it is up.
 */

/**
 * Keeps the parts running: one that ends is started again, with growing pauses; five fast crashes in a row mean it
 * never will, and `onGiveUp` is told why. Parts stay in our process group, so that killing the group ends them all.
 * @param {{ dir: string, say: (line: string) => void, onGiveUp: (reason: string) => void,
 *   firstBackoffMs?: number }} options
 */
export function createSupervisor({ dir, say, onGiveUp, firstBackoffMs = FIRST_BACKOFF_MS }) {
  /** @type {Map<string, { part: Part, child?: Child, fastCrashes: number }>} */
  const parts = new Map();
  let isStopping = false;

  const record = () =>
    recordChildren(
      dir,
      [...parts.values()].flatMap(({ part, child }) =>
        child?.pid ? [{ name: part.name, pid: child.pid }] : [],
      ),
    );

  async function launch(entry) {
    const startedAt = Date.now();
    await entry.part.launch((child) => {
      entry.child = child;
      record();
    });
    const { child } = entry;
    const onExit = () => {
      entry.child = undefined;
      if (!isStopping) void restart(entry, startedAt, child.signalCode ?? `exit code ${child.exitCode}`);
    };
    if (hasEnded(child)) onExit();
    else child.once('exit', onExit);
    // We may have been told to stop while it was being launched.
    if (isStopping) await stopOne(entry, APP_GRACE_MS);
  }

  async function restart(entry, startedAt, how) {
    const { name, logFile } = entry.part;
    entry.fastCrashes = Date.now() - startedAt < FAST_CRASH_MS ? entry.fastCrashes + 1 : 1;
    if (entry.fastCrashes >= MOST_FAST_CRASHES) {
      onGiveUp(
        `The ${name} ended ${entry.fastCrashes} times in a row (${how}): ${lastLine(logFile)}. Its log is ${logFile}.`,
      );
      return;
    }
    say(`  The ${name} ended (${how}) and is started again; its log is ${logFile}`);
    await sleep(firstBackoffMs * 2 ** (entry.fastCrashes - 1));
    if (isStopping) return;
    const relaunchedAt = Date.now();
    try {
      await launch(entry);
    } catch (error) {
      await restart(entry, relaunchedAt, sentence(error));
    }
  }

  const stopOne = async ({ part, child }, graceMs) =>
    child ? stopChild(child, { signal: part.stopSignal, graceMs }) : true;

  return {
    /** Starts a part and keeps it running. @param {Part} part */
    async add(part) {
      const entry = { part, fastCrashes: 0 };
      parts.set(part.name, entry);
      await launch(entry);
    },
    /**
     * Ends every part: first what serves and works, then the stores it writes to.
     * @returns {Promise<boolean>} whether all ended by themselves.
     */
    async stop() {
      isStopping = true;
      const entries = [...parts.values()];
      const apps = entries.filter(({ part }) => !part.isStore);
      const stores = entries.filter(({ part }) => part.isStore);
      const first = await Promise.all(apps.map((entry) => stopOne(entry, APP_GRACE_MS)));
      const last = await Promise.all(stores.map((entry) => stopOne(entry, STORE_GRACE_MS)));
      return [...first, ...last].every(Boolean);
    },
    /** Ends every part at once, without asking. */
    kill() {
      isStopping = true;
      for (const { child } of parts.values()) child?.kill('SIGKILL');
    },
  };
}

/**
 * Starts a Node process with its output in a file (not through us: it must survive a killed supervisor).
 * @param {{ args: string[], cwd: string, env: NodeJS.ProcessEnv, logFile: string, isShown?: boolean }} options
 *   `isShown`: output goes to our own instead, for development.
 * @returns {Child}
 */
export function spawnNode({ args, cwd, env, logFile, isShown = false }) {
  if (isShown) return spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', log, log] });
  closeSync(log);
  return child;
}

/** @param {string} file @returns {string} the last line of a log that says something. */
export function lastLine(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return (
      lines
        .map((line) => line.trim())
        .filter((line) => line && !/^at |^}|^Node\.js v/.test(line))
        .at(-1) ?? 'no output'
    );
  } catch {
    return 'no output';
  }
}
