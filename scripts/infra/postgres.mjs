import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresBinaries } from './postgres-binaries.mjs';
import { clearPidFile } from './postgres-pid-file.mjs';
import { postgresUser } from './postgres-user.mjs';
import { Problem } from './problem.mjs';
import { stopChild } from './processes.mjs';

const START_TIMEOUT_MS = 60_000;

/**
 * Starts the embedded Postgres on loopback, initialising `dir` the first time.
 * @param {{ dir: string, port: number, password: string, logFile: string, settings?: Record<string, string | number>, onSpawn?: (child: import('node:child_process').ChildProcess) => void }} options
 *   `dir`: the cluster's folder; `settings`: server settings on top of ours; `onSpawn`: told of each process at once.
 * @returns {Promise<{ url: string, child: import('node:child_process').ChildProcess, stop: () => Promise<boolean> }>}
 *   `url` names the maintenance database `postgres`.
 * @throws {Problem} when it can't be initialised or does not come up; the log's last lines are in the message.
 */
export async function startPostgres({ dir, port, password, logFile, settings = {}, onSpawn = () => {} }) {
  const user = postgresUser();
  const binaries = postgresBinaries(user);
  if (!existsSync(join(dir, 'PG_VERSION'))) initialise({ dir, binaries, user, password });
  await clearPidFile(dir);

  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const spawnServer = () => {
    const log = openSync(logFile, 'a');
    const child = spawn(join(binaries, 'bin', 'postgres'), ['-D', dir, ...flags], {
      ...user,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    onSpawn(child);
    return child;
  };
  const child = await untilReady(spawnServer, dir, logFile);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    child,
    // SIGINT is Postgres' "fast" shutdown: open transactions are rolled back, everything committed is written.
    stop: () => stopChild(child, { signal: 'SIGINT', graceMs: 5_000 }),
  };
}

/** Into a folder beside it, then renamed: a start killed half-way leaves nothing that looks like a cluster. */
function initialise({ dir, binaries, user, password }) {
  const half = join(dirname(dir), `.${basename(dir)}-${process.pid}`);
  const passwordFile = `${half}-password`;
  mkdirSync(half, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  chmodSync(half, 0o700);
  if (user) {
    chownSync(half, user.uid, user.gid);
    chownSync(passwordFile, user.uid, user.gid);
  }
  try {
    const run = spawnSync(
      join(binaries, 'bin', 'initdb'),
      [
        `--pgdata=${half}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' }, encoding: 'utf8' },
    );
    if (run.status !== 0) {
      const reason = run.error?.message ?? run.stderr.trim().split('\n').at(-1);
      throw new Problem(`Postgres could not be initialised in ${dir}: ${reason}`);
    }
    rmSync(dir, { recursive: true, force: true });
    renameSync(half, dir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(half, { recursive: true, force: true });
  }
}

async function untilReady(spawnServer, dir, logFile) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const logFrom = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const child = spawnServer();
    if (await isReady(child, dir, deadline)) return child;
    await stopChild(child, { signal: 'SIGINT' });
    const output = readFileSync(logFile, 'utf8').slice(logFrom).trim();
    // Backends of a killed server need a moment to notice and leave its shared memory.
    if (/pre-existing shared memory block/.test(output) && Date.now() < deadline) {
      await sleep(500);
      continue;
    }
    const reason = /No space left on device/.test(output)
      ? 'the disk is full'
      : output.split('\n').slice(-3).join(' | ');
    throw new Problem(`Postgres did not start (${reason}); the whole log is ${logFile}.`);
  }
}

/** The last line of the pid file is what `pg_ctl` waits for, too. */
async function isReady(child, dir, deadline) {
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    try {
      const [pid, , , , , , , status] = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
      if (Number(pid) === child.pid && status?.trim() === 'ready') return true;
    } catch {
      // Not written yet.
    }
    await sleep(20);
  }
  return false;
}
