import pg from 'pg';
import { NO_FILTERS, SCRIPT_LOCK_KEY, withEngine } from './engine';
import { MIGRATIONS_DIR, readMigrations } from './read-migrations';

/** Our own lock, not the engine's (72707369): the engine gives up after 10 s, and a long migration may take longer. */
export const MIGRATIONS_LOCK_KEY = 5_318_008_211;

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
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATIONS_LOCK_KEY]);
    await forgetInterrupted(lock);
    const all = await readMigrations(baseDir);
    const migrationDirectories = all.migrationDirectories.filter(({ path }) => isWanted(path));
    const migrationsList = { ...all, migrationDirectories };
    return await withEngine(databaseUrl, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
      return appliedMigrationNames;
    });
  } finally {
    await lock.end();
  }
}

/**
 * Removes the record of a migration that was begun and is neither finished nor failed: it was interrupted and rolled
 * back, and the engine would refuse to continue. If only the process that sent it was killed, its script may still be
 * running: then this waits for its end.
 */
async function forgetInterrupted(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [SCRIPT_LOCK_KEY]);
  await client.query('SELECT pg_advisory_unlock($1)', [SCRIPT_LOCK_KEY]);
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists");
  if (!rows[0]?.exists) return;
  await client.query(
    'DELETE FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL',
  );
}
