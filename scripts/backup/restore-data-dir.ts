import { existsSync, lstatSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataDir } from '../infra/data-dir.mjs';
import { ensureDatabase } from '../infra/ensure-database.mjs';
import { partMark } from '../infra/part-mark.mjs';
import { anyFreePort } from '../infra/ports.mjs';
import { startPostgres } from '../infra/postgres.mjs';
import { Problem } from '../infra/problem.mjs';
import { secrets as loadSecrets } from '../infra/secrets.mjs';
import { takeStartLock } from '../infra/start-lock.mjs';
import { clusterDir } from '../infra/stores.mjs';
import { writeAtomically } from '../infra/write-atomically.mjs';
import { SECRETS_FILE } from './list-files';

/**
 * Restores into a data directory that has no database yet. `fill` gets a new embedded Postgres; the cluster gets its
 * name only when it is full, so whatever ends this half-way leaves nothing that a start would take for a shop.
 * @param path absolute
 * @param secrets of the backup; the directory's own win
 * @throws Problem if a product runs there, or there is a database.
 */
export async function restoreDataDir(
  path: string,
  secrets: Record<string, string> | null,
  fill: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const { dir, logs } = dataDir(dirname(path), path);
  const { release } = await takeStartLock(dir);
  try {
    const cluster = join(dir, 'postgres');
    if (lstatSync(cluster, { throwIfNoEntry: false }))
      throw new Problem(`${dir} has a database already: name an empty folder with --data-dir.`);
    const hasWritten = restoreSecrets(dir, secrets);
    const half = join(dir, 'postgres.restoring');
    removeCluster(half);
    try {
      await withPostgres({ dir, cluster: clusterDir(half), logs }, fill);
      renameSync(half, cluster);
    } catch (error) {
      removeCluster(half);
      if (hasWritten) rmSync(join(dir, SECRETS_FILE), { force: true });
      throw error;
    }
  } finally {
    release();
  }
}

/**
 * Writes the backup's secrets, so that sessions and entry tokens stay good; keeps those that are there.
 * @returns whether it wrote them.
 */
export function restoreSecrets(dir: string, secrets: Record<string, string> | null): boolean {
  const file = join(dir, SECRETS_FILE);
  if (!secrets || existsSync(file)) return false;
  writeAtomically(file, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return true;
}

async function withPostgres(
  { dir, cluster, logs }: { dir: string; cluster: string; logs: string },
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const server = await startPostgres({
    dir: cluster,
    port: await anyFreePort(),
    password: loadSecrets(dir).POSTGRES_PASSWORD,
    logFile: join(logs, 'postgres.log'),
    // If this process is killed, the next start or restore here ends the server.
    env: partMark(dir, 'postgres'),
  });
  try {
    await work(await ensureDatabase(server.url, 'seckill'));
  } finally {
    await server.stop();
  }
}

/** It may be a link to a folder elsewhere: see `clusterDir`. */
function removeCluster(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) rmSync(dirname(readlinkSync(path)), { recursive: true, force: true });
  rmSync(path, { recursive: true, force: true });
}
