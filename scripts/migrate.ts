import 'server-only';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isPooled } from '@/lib/db/client-for';
import { checkPostgres } from './infra/check-postgres.mjs';
import { applyMigrations } from './migrate/apply-migrations';

/** `npm run migrate`: brings the database of DATABASE_URL up to date and prints what it applied. */

/**
 * How long to wait after errors that may pass: no server is there yet, or it is still starting, recovering or
 * shutting down.
 */
const PATIENCE_MS: Record<string, number> = { ECONNREFUSED: 30_000, ECONNRESET: 30_000, '57P03': 600_000 };

/** Waits until the server accepts connections; a wrong password or database name fails at once. */
async function waitUntilReady(databaseUrl: string): Promise<void> {
  const since = Date.now();
  for (;;) {
    const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
    try {
      await client.connect();
      return;
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (Date.now() - since > (PATIENCE_MS[code] ?? 0)) throw error;
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(250);
  }
}

// Reads only these, so that a release job can migrate with DATABASE_URL alone.
const databaseUrl = process.env.DATABASE_DIRECT_URL || process.env.DATABASE_URL;
try {
  if (!databaseUrl) throw new Error('DATABASE_URL is not set');
  // Migrating holds a lock for longer than a transaction, which a pooler does not allow.
  if (isPooled(databaseUrl))
    throw new Error(
      'DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL to the same database without it',
    );
  await waitUntilReady(databaseUrl);
  await checkPostgres(databaseUrl, undefined, '');
  const applied = await applyMigrations(databaseUrl);
  console.log(applied.length === 0 ? 'nothing to apply' : `applied ${applied.join(', ')}`);
} catch (error) {
  const reason = error instanceof Error ? error.message.split('\n   0:')[0] : String(error);
  console.error(`The database could not be migrated: ${reason}`);
  process.exitCode = 1;
}
