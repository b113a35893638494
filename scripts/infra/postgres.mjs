import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fullDisk } from './full-disk.mjs';
import { postgresBinaries } from './postgres-binaries.mjs';
import { clearPidFile } from './postgres-pid-file.mjs';
import { postgresUser } from './postgres-user.mjs';
import { Problem } from './problem.mjs';
import { hasEnded, stopChild } from './processes.mjs';
import { lastLine, logSize, readLog, reasonIn } from './read-log.mjs';
import { runToEnd } from './run-to-end.mjs';
import { spawnLogged } from './spawn-logged.mjs';
import { signsOfLife, stuckReason, watchForProgress } from './watch-for-progress.mjs';

/** Backends of a killed server notice that it is gone and leave its shared memory; on a busy machine that takes time. */
const BACKENDS_GONE_MS = 60_000;

/** Each process may open twenty. Postgres's own hundred is too few for four web processes beside the others. */
const MOST_CONNECTIONS = 300;

/**
 * Starts the embedded Postgres on loopback, and initialises `dir` the first time. Waits for recovery, however long it
 * takes, as long as the server lives and works.
 * @param {{ dir: string, port: number, password: string, logFile: string, settings?: Record<string, string | number>,
 *   env?: Record<string, string>, onSpawn?: (child: import('node:child_process').ChildProcess) => void, wait?:
 *   import('./progress.mjs').Wait }} options `dir`: the cluster's folder; `settings`: server settings on top of ours;
 *   `onSpawn`: called at once for each process.
 * @returns {Promise<{ url: string, child: import('node:child_process').ChildProcess, stop: () => Promise<boolean> }>}
 *   `url` names the maintenance database `postgres`.
 * @throws {Problem} when it can't be initialised or does not come up; the last lines of its log are in the message.
 */
export async function startPostgres({
  dir,
  port,
  password,
  logFile,
  settings = {},
  env = {},
  onSpawn = () => {},
  wait = () => {},
}) {
  const user = postgresUser();
  const binaries = postgresBinaries(user);
  const processEnv = { PATH: process.env.PATH, LC_ALL: 'C', ...env };
  if (!existsSync(join(dir, 'PG_VERSION')))
    await initialise({ dir, binaries, user, password, logFile, env: processEnv, wait });
  await clearPidFile(dir);

  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: MOST_CONNECTIONS,
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const spawnServer = () => {
    const child = spawnLogged(join(binaries, 'bin', 'postgres'), ['-D', dir, ...flags], {
      ...user,
      cwd: '/',
      env: processEnv,
      logFile,
    });
    onSpawn(child);
    return child;
  };
  const child = await untilReady(spawnServer, dir, logFile, wait);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    child,
    // SIGINT is Postgres' "fast" shutdown: it rolls open transactions back and writes everything committed.
    stop: () => stopChild(child, { signal: 'SIGINT', graceMs: 5_000 }),
  };
}

/** Initialises a folder beside it, then renames that: a start killed half-way leaves nothing that looks like a cluster. */
async function initialise({ dir, binaries, user, password, logFile, env, wait }) {
  const half = join(dirname(dir), `.${basename(dir)}-${process.pid}`);
  const passwordFile = `${half}-password`;
  try {
    mkdirSync(half, { recursive: true, mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    chmodSync(half, 0o700);
    if (user) {
      chownSync(half, user.uid, user.gid);
      chownSync(passwordFile, user.uid, user.gid);
    }
    await runToEnd({
      what: `Postgres could not be initialised in ${dir}`,
      command: join(binaries, 'bin', 'initdb'),
      args: [
        `--pgdata=${half}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      ...user,
      cwd: '/',
      env,
      logFile,
      wait,
    });
    rmSync(dir, { recursive: true, force: true });
    renameSync(half, dir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(half, { recursive: true, force: true });
  }
}

async function untilReady(spawnServer, dir, logFile, wait) {
  const deadline = Date.now() + BACKENDS_GONE_MS;
  for (;;) {
    const logFrom = logSize(logFile);
    const child = spawnServer();
    wait(() => lastLine(logFile, logFrom));
    if (await isReady(child, dir, logFile)) return child;
    const isStuck = !hasEnded(child);
    await stopChild(child, { signal: 'SIGINT' });
    const output = readLog(logFile, logFrom);
    if (/pre-existing shared memory block/.test(output) && Date.now() < deadline) {
      await sleep(500);
      continue;
    }
    const reason = isStuck ? stuckReason() : reasonIn(output, 3, !fullDisk([logFile]));
    throw new Problem(`Postgres did not start (${reason}); the whole log is ${logFile}.`);
  }
}

/** The last line of the pid file says so; `pg_ctl` waits for it, too. */
async function isReady(child, dir, logFile) {
  let isStuck = false;
  const stopWatching = watchForProgress(signsOfLife(child, logFile), () => {
    isStuck = true;
  });
  try {
    while (!isStuck && !hasEnded(child)) {
      try {
        const [pid, , , , , , , status] = readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n');
        if (Number(pid) === child.pid && status?.trim() === 'ready') return true;
      } catch {
        // The file is not written yet.
      }
      await sleep(20);
    }
    return false;
  } finally {
    stopWatching();
  }
}
