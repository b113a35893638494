import type { ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePgBouncer } from '../../../scripts/infra/find-server.mjs';
import { postgresUser } from '../../../scripts/infra/postgres-user.mjs';
import { spawnLogged } from '../../../scripts/infra/spawn-logged.mjs';
import { untilListening } from '../until-listening';

type Pooler = {
  /** A folder of its own. */
  dir: string;
  port: number;
  databaseUrl: string;
  /** How many connections it has for all its clients. */
  connections: number;
  logFile: string;
  onSpawn: (child: ChildProcess) => void;
};

const READY_WITHIN_MS = 20_000;

/** Starts a real PgBouncer in transaction mode before a database. Resolves once it answers. */
export async function launchPooler({
  dir,
  port,
  databaseUrl,
  connections,
  logFile,
  onSpawn,
}: Pooler): Promise<void> {
  const binary = await ensurePgBouncer();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
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
  onSpawn(spawnLogged(binary, [file], { ...user, cwd: '/', env: process.env, logFile }));
  await untilListening('PgBouncer', port, READY_WITHIN_MS);
}

/** Returns the address of the same database through the pooler. */
export function pooledUrl(databaseUrl: string, port: number): string {
  const { username, pathname } = new URL(databaseUrl);
  return `postgres://${username}@127.0.0.1:${port}${pathname}?pgbouncer=true`;
}
