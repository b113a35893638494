import 'server-only';
import pg from 'pg';
import type { ExecutorConfig } from './types';

/**
 * The executor's database connections. One may be lost at any moment, also while it is lent out and nothing is asked of
 * it (between two statements of a transaction): the pool listens to idle ones only, and an error nobody listens to would
 * end the process. Whoever has it learns of it from the next statement.
 */
export function createPool(config: Pick<ExecutorConfig, 'databaseUrl' | 'log'>, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max });
  pool.on('error', (error) => config.log.warn({ err: error }, 'An idle database connection was lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
