import pg from 'pg';
import { NO_FILTERS, withEngine } from './engine';
import { MIGRATIONS_DIR, readMigrations } from './read-migrations';

/** Ours, not the engine's own (72707369): that one gives up after 10 s, and a long migration may take longer. */
const ADVISORY_LOCK_KEY = 5_318_008_211;

/**
 * Applies what is missing, as `prisma migrate deploy` does. Any number may run at once: a session-level advisory
 * lock lets one through at a time, and the later ones find nothing to do.
 * @param databaseUrl The database to migrate; it must exist.
 * @param baseDir Folder of migrations.
 * @returns The names of the migrations applied now, in order.
 * @throws Error with the engine's message when a migration fails; it stays recorded as failed.
 */
export async function applyMigrations(databaseUrl: string, baseDir = MIGRATIONS_DIR): Promise<string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK_KEY]);
    const migrationsList = await readMigrations(baseDir);
    return await withEngine(databaseUrl, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTERS });
      return appliedMigrationNames;
    });
  } finally {
    await lock.end();
  }
}
