import pg from 'pg';
import { setting } from './commands';

/** Runs one statement in the running product's database; for what nobody can bring about from outside. */
export async function execute(sql: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: setting('DATABASE_URL') });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}
