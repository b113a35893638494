import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePgBouncer } from '../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../scripts/infra/ports.mjs';
import { postgresUser } from '../../scripts/infra/postgres-user.mjs';
import { stopChild } from '../../scripts/infra/processes.mjs';
import { startReaper } from '../../scripts/infra/reaper.mjs';
import { spawnLogged } from '../../scripts/infra/spawn-logged.mjs';

export type PgBouncer = {
  /** The same database through the pooler, with `pgbouncer=true`. */
  url: string;
  /** Ends the pooler and starts it anew, as an upgrade does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const READY_WITHIN_MS = 20_000;

/** Starts a real PgBouncer in transaction mode before a database. @param connections it has for all its clients */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const binary = await ensurePgBouncer();
  const dir = mkdtempSync(join(tmpdir(), 'seckill-pgbouncer-'));
  const reaper = startReaper(dir);
  const port = await anyFreePort();
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const file = join(dir, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  );
  // It refuses to run as root.
  const user = postgresUser();
  chmodSync(dir, 0o700);
  for (const path of user ? [dir, file] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
  const launch = async () => {
    const logFile = join(dir, 'log');
    const started = spawnLogged(binary, [file], { ...user, cwd: '/', env: process.env, logFile });
    reaper.watch(started.pid);
    await untilAnswered(port);
    return started;
  };
  let child = await launch();
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}?pgbouncer=true`,
    async restart() {
      await stopChild(child, { signal: 'SIGKILL' });
      child = await launch();
    },
    async stop() {
      await stopChild(child, { signal: 'SIGKILL' });
      rmSync(dir, { recursive: true, force: true });
      reaper.dismiss();
    },
  };
}

async function untilAnswered(port: number): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ; ) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (Date.now() > deadline) throw new Error('PgBouncer does not answer');
    await new Promise((done) => setTimeout(done, 20));
  }
}
