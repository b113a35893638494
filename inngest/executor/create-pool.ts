import 'server-only';
import pg from 'pg';
import { clientFor } from '@/lib/db/client-for';
import { limitMs } from '@/lib/time-limits';
import type { ExecutorConfig } from './types';

/**
 * Creates the executor's pool of database connections. A connection may be lost at any moment, also between two
 * statements. The pool listens only to idle ones, and an error without a listener would end the process: so each has a
 * listener, and its user learns of the loss from the next statement. A host that vanished says nothing: hence limits.
 */
export function createPool(config: Pick<ExecutorConfig, 'databaseUrl' | 'log'>, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    Client: clientFor(config.databaseUrl),
    max,
    connectionTimeoutMillis: limitMs('executorConnect'),
    query_timeout: limitMs('executorStatement'),
  });
  pool.on('error', (error) => config.log.warn({ err: error }, 'An idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
