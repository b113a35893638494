import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rotateLog } from './rotate-log.mjs';

/**
 * Starts a process with its output in a file (not through us: it must survive a killed supervisor). Where the file
 * can't be opened, as on a full disk, only the output is lost, not the process.
 * @param {string} command
 * @param {string[]} args
 * @param {{ logFile: string } & import('node:child_process').SpawnOptions} options
 * @returns {import('node:child_process').ChildProcess}
 */
export function spawnLogged(command, args, { logFile, ...options }) {
  const log = openLog(logFile);
  try {
    const output = log ?? 'ignore';
    return heard(spawn(command, args, { ...options, stdio: ['ignore', output, output] }));
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/**
 * Starts a Node process; see `spawnLogged`.
 * @param {{ args: string[], cwd: string, env: NodeJS.ProcessEnv, logFile: string, isShown?: boolean }} options
 *   `isShown`: its output goes to our own instead, for development.
 */
export function spawnNode({ args, isShown = false, ...options }) {
  if (isShown) {
    const { cwd, env } = options;
    return heard(spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }));
  }
  return spawnLogged(process.execPath, args, options);
}

/**
 * A process that can't be started has no id; an error without a listener would end us. @param
 * {import('node:child_process').ChildProcess} child
 */
const heard = (child) => child.on('error', () => {});

function openLog(file) {
  try {
    rotateLog(file);
    return openSync(file, 'a');
  } catch {
    return undefined;
  }
}
