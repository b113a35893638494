import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createPool } from './create-pool';

const databaseUrl = process.env.DATABASE_URL ?? '';
const silent = () => undefined;
const pool = createPool({ databaseUrl, log: { info: silent, warn: silent, error: silent } }, 2);
afterAll(() => pool.end());

it('[E3] a connection that is lost while lent out ends its own work, not the process', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  // Postgres shuts down between two statements. Without an error listener on the client, this would fail the whole
  // test run.
  const lost = new Promise((resolve) => {
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.once('end', resolve);
  });
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await lost;
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await other.end();
});
