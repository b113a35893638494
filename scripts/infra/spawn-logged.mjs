import { spawn } from 'node:child_process';
import { closeSync, openSync, renameSync } from 'node:fs';
import { logSize } from './read-log.mjs';

const LARGEST_LOG_BYTES = 10 * 1024 * 1024;

/**
 * Starts a process with its output in a file (not through us: it must survive a killed supervisor). A log that has grown
 * past 10 MiB is kept as `.1` first. Where the file can't be opened, as on a full disk, the output is lost, not the process.
 * @param {string} command
 * @param {string[]} args
 * @param {{ logFile: string, stdout?: 'pipe' } & import('node:child_process').SpawnOptions} options `stdout`: comes to
 *   us after all, and into no file
 * @returns {import('node:child_process').ChildProcess}
 */
export function spawnLogged(command, args, { logFile, stdout, ...options }) {
  const log = openLog(logFile);
  try {
    const stdio = /** @type {const} */ (['ignore', stdout ?? log ?? 'ignore', log ?? 'ignore']);
    const child = spawn(command, args, { ...options, stdio });
    // One that can't be started has no id; an error nobody listens to would end us.
    child.on('error', () => {});
    return child;
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/**
 * Starts a Node process; see `spawnLogged`.
 * @param {{ args: string[], cwd: string, env: NodeJS.ProcessEnv, logFile: string, isShown?: boolean }} options
 *   `isShown`: output goes to our own instead, for development.
 */
export function spawnNode({ args, isShown = false, ...options }) {
  if (isShown) {
    const { cwd, env } = options;
    return spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
  }
  return spawnLogged(process.execPath, args, options);
}

function openLog(file) {
  try {
    if (logSize(file) > LARGEST_LOG_BYTES) renameSync(file, `${file}.1`);
    return openSync(file, 'a');
  } catch {
    return undefined;
  }
}
