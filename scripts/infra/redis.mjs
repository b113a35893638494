import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './problem.mjs';
import { stopChild } from './processes.mjs';

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a Redis server on loopback with its files in `dir`.
 * @param {{ binary: string, dir: string, port: number, logFile: string, settings?: Record<string, string | number>, onSpawn?: (child: import('node:child_process').ChildProcess) => void }} options
 * @returns {Promise<{ url: string, child: import('node:child_process').ChildProcess, stop: () => Promise<boolean> }>}
 * @throws {Problem} when it does not come up; the log's last lines are in the message.
 */
export async function startRedis({ binary, dir, port, logFile, settings = {}, onSpawn = () => {} }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const all = {
    dir,
    port,
    bind: '127.0.0.1',
    daemonize: 'no',
    'maxmemory-policy': 'noeviction',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const log = openSync(logFile, 'a');
  const child = spawn(binary, flags, { cwd: dir, stdio: ['ignore', log, log] });
  closeSync(log);
  onSpawn(child);
  await ready(child, port, logFile);
  return { url: `redis://127.0.0.1:${port}`, child, stop: () => stopChild(child, { graceMs: 5_000 }) };
}

async function ready(child, port, logFile) {
  let failure;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && !failure) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    // While it still reads its append-only file it answers -LOADING.
    if ((await ping(port)).startsWith('+PONG')) return;
    await sleep(20);
  }
  if (!failure) await stopChild(child);
  const lastLines =
    failure?.message ?? readFileSync(logFile, 'utf8').trim().split('\n').slice(-2).join(' | ');
  throw new Problem(`Redis did not start (${lastLines}); the whole log is ${logFile}.`);
}

/** @param {number} port @returns {Promise<string>} the raw reply to PING, '' when nobody answers. */
export function ping(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    const done = (reply) => {
      socket.destroy();
      resolve(reply);
    };
    socket.setTimeout(1_000, () => done(''));
    socket.once('data', (data) => done(data.toString()));
    socket.once('error', () => done(''));
    socket.once('close', () => done(''));
  });
}
