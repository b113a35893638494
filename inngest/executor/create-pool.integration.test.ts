import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { startStallableProxy } from '@/lib/server/testing/stallable-proxy';
import { createPool } from './create-pool';

const databaseUrl = process.env.DATABASE_URL ?? '';
const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };
const pool = createPool({ databaseUrl, log }, 2);
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

it('[E3 P1] a host that vanishes without a word ends statements and waits for connections, and its return is noticed', async () => {
  const proxy = await startStallableProxy(databaseUrl);
  const limits = vi.spyOn(await import('@/lib/time-limits'), 'limitMs').mockReturnValue(1_000);
  const far = createPool({ databaseUrl: proxy.url, log }, 2);
  limits.mockRestore();
  const isThere = () =>
    far.query('SELECT 1').then(
      () => true,
      () => false,
    );
  await expect.poll(isThere).toBe(true);
  proxy.stall();
  // One has a connection, one opens another, the others wait for these.
  expect(await Promise.all(Array.from({ length: 4 }, isThere))).toEqual([false, false, false, false]);
  proxy.resume();
  await expect.poll(isThere).toBe(true);
  await far.end();
  await proxy.stop();
});
