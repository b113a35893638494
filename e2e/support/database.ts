import pg from 'pg';
import { setting } from './commands';

/**
 * Runs one statement in the running product's database; for what a test can neither see nor cause from outside.
 * @returns its rows
 */
export async function execute(sql: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: setting('DATABASE_URL') });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
