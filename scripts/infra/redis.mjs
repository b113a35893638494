import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullDisk } from './full-disk.mjs';
import { Problem } from './problem.mjs';
import { hasEnded, stopChild } from './processes.mjs';
import { lastLine, logSize, readLog, reasonIn } from './read-log.mjs';
import { spawnLogged } from './spawn-logged.mjs';
import { signsOfLife, stuckReason, watchForProgress } from './watch-for-progress.mjs';

/**
 * Starts a Redis server on loopback with its files in `dir`. Waits while it loads them, however long that takes, as
 * long as it lives and works.
 * @param {{ binary: string, dir: string, port: number, logFile: string, settings?: Record<string, string | number>,
 *   env?: Record<string, string>, onSpawn?: (child: import('node:child_process').ChildProcess) => void, wait?:
 *   import('./progress.mjs').Wait }} options
 * @returns {Promise<{ url: string, child: import('node:child_process').ChildProcess, stop: () => Promise<boolean> }>}
 * @throws {Problem} when it does not come up; the last lines of its log are in the message.
 */
export async function startRedis({
  binary,
  dir,
  port,
  logFile,
  settings = {},
  env = {},
  onSpawn = () => {},
  wait = () => {},
}) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const all = {
    dir,
    port,
    bind: '127.0.0.1',
    daemonize: 'no',
    'maxmemory-policy': 'noeviction',
    // Redis would write its title over the environment, in which a later start looks for our mark.
    'set-proc-title': 'no',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const logFrom = logSize(logFile);
  const child = spawnLogged(binary, flags, { cwd: dir, env: { ...process.env, ...env }, logFile });
  onSpawn(child);
  await untilReady(child, port, logFile, logFrom, wait);
  return { url: `redis://127.0.0.1:${port}`, child, stop: () => stopChild(child, { graceMs: 5_000 }) };
}

async function untilReady(child, port, logFile, logFrom, wait) {
  let isStuck = false;
  const stopWatching = watchForProgress(signsOfLife(child, logFile), () => {
    isStuck = true;
  });
  try {
    while (!isStuck && !hasEnded(child)) {
      const info = await readInfo(port);
      // Another process may have taken the port.
      if (info.process_id === String(child.pid) && info.loading === '0') return;
      const loaded = info.loading_loaded_perc;
      wait(() => (loaded ? `it has read ${loaded} % of its files` : lastLine(logFile, logFrom)));
      await sleep(20);
    }
  } finally {
    stopWatching();
  }
  await stopChild(child);
  const reason = isStuck ? stuckReason() : reasonIn(readLog(logFile, logFrom), 2, !fullDisk([logFile]));
  throw new Problem(`Redis did not start (${reason}); the whole log is ${logFile}.`);
}

/** @param {number} port @returns {Promise<Record<string, string>>} the fields of INFO, none when no server answers. */
function readInfo(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('INFO\r\nQUIT\r\n'));
    let reply = '';
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (data) => {
      reply += data;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      const pairs = reply.split('\r\n').map((line) => line.split(/:(.*)/s, 2));
      resolve(Object.fromEntries(pairs));
    });
  });
}
