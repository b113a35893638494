import pg from 'pg';
import { MIGRATIONS_LOCK_KEY, takeMigrationsLock } from '../migrate/migrations-lock';

const CONNECT_TIMEOUT_MS = 10_000;

/** How values are written as text, on whatever server: without loss, and understood by every other. */
const FORMAT = `SET client_encoding = 'UTF8'; SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601';
  SET extra_float_digits = 1; SET bytea_output = 'hex'; SET statement_timeout = 0; SET lock_timeout = 0;
  SET idle_in_transaction_session_timeout = 0; SET transaction_timeout = 0`;

/** Connects for COPY in either direction. */
export async function connectForCopy(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // The statement under way fails with the reason.
  client.on('error', () => {});
  await client.connect();
  await client.query(FORMAT);
  return client;
}

/**
 * Opens one snapshot of the whole database, in which others go on writing. Holds off migrations meanwhile, by their own
 * lock: one that met our tables' locks would wait with a lock of its own, and every purchase behind it.
 * @param onWait called if a migration is under way, for which this waits.
 */
export async function openSnapshot(databaseUrl: string, onWait: () => void): Promise<pg.Client> {
  const client = await connectForCopy(databaseUrl);
  try {
    await takeMigrationsLock(client, MIGRATIONS_LOCK_KEY, { isShared: true, onWait });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
