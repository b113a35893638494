import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** The folder of the SQL migrations, in the layout of `prisma migrate`. */
export const MIGRATIONS_DIR = resolve(import.meta.dirname, '../../prisma/migrations');

/**
 * Reads prisma/migrations the way the Prisma CLI does, in order of name.
 * @param baseDir Folder that holds one folder with a `migration.sql` per migration.
 */
export async function readMigrations(baseDir = MIGRATIONS_DIR): Promise<MigrationList> {
  const entries = await readdir(baseDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: await readFile(join(baseDir, name, 'migration.sql'), 'utf8').then(
          (value) => ({ tag: 'ok' as const, value }),
          (error: Error) => ({ tag: 'error' as const, value: error.message }),
        ),
      },
    })),
  );
  const lockfile = await readFile(join(baseDir, 'migration_lock.toml'), 'utf8').catch(() => null);
  return {
    baseDir,
    lockfile: { path: 'migration_lock.toml', content: lockfile },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}
