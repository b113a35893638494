import 'server-only';
import pg from 'pg';
import { clientFor } from '@/lib/db/client-for';
import type { ExecutorConfig } from './types';

/**
 * Creates the executor's pool of database connections. A connection may be lost at any moment, also between two
 * statements of a transaction. The pool listens only to idle connections, and an error without a listener would end
 * the process. So every connection gets a listener; the code that uses the connection learns of the loss from its
 * next statement.
 */
export function createPool(config: Pick<ExecutorConfig, 'databaseUrl' | 'log'>, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    Client: clientFor(config.databaseUrl),
    max,
  });
  pool.on('error', (error) => config.log.warn({ err: error }, 'An idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
