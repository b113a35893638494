import pg from 'pg';
import type { Attempt, Contestant, Stores } from '../types';

/** Connections per racing process. Two processes stay far below the 200 connections of the lab's Postgres. */
const POOL_SIZE = 16;

const SCHEMA = `
  DROP SCHEMA IF EXISTS lab CASCADE;
  CREATE SCHEMA lab;
  CREATE TABLE lab.stock (id int PRIMARY KEY, stock int NOT NULL);
  CREATE TABLE lab.orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL);`;

/**
 * Makes a contestant whose stock and orders are rows in Postgres.
 * @param attempt one buyer's attempt.
 */
export function databaseContestant(
  stores: Stores,
  attempt: (pool: pg.Pool, userId: string) => Promise<Attempt>,
): Contestant {
  const pool = new pg.Pool({ connectionString: stores.databaseUrl, max: POOL_SIZE });
  return {
    async setUp(units) {
      await pool.query(SCHEMA);
      await pool.query('INSERT INTO lab.stock VALUES (1, $1)', [units]);
    },
    async connect() {
      const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()));
      for (const client of clients) client.release();
    },
    attempt: (userId) => attempt(pool, userId),
    async readOutcome() {
      const { rows } = await pool.query<{ stock: number; orders: number }>(
        'SELECT stock, (SELECT count(*)::int FROM lab.orders) AS orders FROM lab.stock WHERE id = 1',
      );
      const [row] = rows;
      if (!row) throw new Error('the stock row is gone');
      return row;
    },
    tearDown: () => pool.end(),
  };
}

/** Reads the stock counter in a statement of its own. @returns its present value. */
export async function readStockRow(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ stock: number }>('SELECT stock FROM lab.stock WHERE id = 1');
  return rows[0]?.stock ?? 0;
}
