import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { NO_FILTERS, SCRIPT_LOCK_KEY, withEngine } from './engine';
import { MIGRATIONS_LOCK_KEY, takeMigrationsLock } from './migrations-lock';
import { MIGRATIONS_DIR, readMigrations } from './read-migrations';

/**
 * Applies the missing migrations, as `prisma migrate deploy` does. Any number of processes may run at once: a
 * session-level advisory lock lets one through at a time, and the later ones find nothing to do. A run killed at any
 * moment is continued by the next one.
 * @param databaseUrl The database to migrate; it must exist.
 * @param baseDir Folder of migrations.
 * @param isWanted Whether to apply the migration of that name; for a backup of an older release.
 * @returns The names of the migrations applied now, in order.
 * @throws Error with the engine's message when a migration fails; it stays recorded as failed.
 */
export async function applyMigrations(
  databaseUrl: string,
  baseDir = MIGRATIONS_DIR,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await lock.connect();
  try {
    await takeMigrationsLock(lock, MIGRATIONS_LOCK_KEY);
    await forgetInterrupted(lock);
    const all = await readMigrations(baseDir);
    const migrationDirectories = all.migrationDirectories.filter(({ path }) => isWanted(path));
    return await withEngine(databaseUrl, async (engine) => {
      const applied: string[] = [];
      for (const directories of await cutAtBatches(lock, baseDir, migrationDirectories)) {
        const migrationsList = { ...all, migrationDirectories: directories.migrations };
        const { appliedMigrationNames } = await engine.applyMigrations({
          migrationsList,
          filters: NO_FILTERS,
        });
        applied.push(...appliedMigrationNames);
        if (directories.batch) await runBatches(lock, directories.batch);
      }
      return applied;
    });
  } finally {
    await lock.end();
  }
}

type Directories = MigrationList['migrationDirectories'];

/**
 * Cuts the list before each missing migration that has a `batch.sql`: what comes before must be applied first, since the
 * batches run in between. Each part holds all migrations up to its end, as the engine wants to see those that are applied.
 */
async function cutAtBatches(
  client: pg.Client,
  baseDir: string,
  all: Directories,
): Promise<{ migrations: Directories; batch?: string }[]> {
  const applied = await appliedNames(client);
  const parts: { migrations: Directories; batch?: string }[] = [];
  for (const [at, { path }] of all.entries()) {
    if (applied.has(path)) continue;
    const batch = await readFile(join(baseDir, path, 'batch.sql'), 'utf8').catch(() => undefined);
    if (batch !== undefined) parts.push({ migrations: all.slice(0, at), batch });
  }
  return [...parts, { migrations: all }];
}

async function appliedNames(client: pg.Client): Promise<Set<string>> {
  if (!(await hasMigrations(client))) return new Set();
  const { rows } = await client.query(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Runs a migration's `batch.sql`, each time in a transaction of its own, until it says `is_done`: for work on all rows of a
 * large table, which must not be one long transaction. It notes itself how far it has come, so that a run that is killed is
 * continued.
 */
async function runBatches(client: pg.Client, sql: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_done: boolean }>(sql);
    if (rows[0]?.is_done !== false) return;
  }
}

async function hasMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  return rows[0]?.exists;
}

/**
 * Removes the record of a migration that was begun and is neither finished nor failed: it was interrupted and rolled
 * back, and the engine would refuse to continue. If only the process that sent it was killed, its script may still be
 * running: then this waits for its end.
 */
async function forgetInterrupted(client: pg.Client): Promise<void> {
  await takeMigrationsLock(client, SCRIPT_LOCK_KEY);
  await client.query('SELECT pg_advisory_unlock($1)', [SCRIPT_LOCK_KEY]);
  if (!(await hasMigrations(client))) return;
  await client.query(
    'DELETE FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL',
  );
}
