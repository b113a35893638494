import { databaseContestant, readStockRow } from '../support/database-contestant';
import type { Strategy } from '../types';

const DEDUCT = `
  WITH deducted AS (UPDATE lab.stock SET stock = stock - 1 WHERE id = 1 RETURNING stock),
       placed AS (INSERT INTO lab.orders (user_id) VALUES ($1))
  SELECT stock FROM deducted`;

/**
 * Database, read then update: `SELECT stock`, check it in the application, `UPDATE … SET stock = stock - 1`.
 *
 * Broken: all buyers who read "1 left" before the first write get that unit. The UPDATE itself is atomic, so the
 * counter is right, and goes below zero.
 */
export const databaseReadThenUpdate: Strategy = {
  name: 'database-read-then-update',
  title: 'Database: read, then update',
  source: 'PostgreSQL documentation, 13.2.1 Read Committed Isolation Level',
  isCorrect: false,
  flaw: 'oversells',
  processes: 2,
  create: (stores) =>
    databaseContestant(stores, async (pool, userId) => {
      const stock = await readStockRow(pool);
      if (stock <= 0) return { answer: 'sold_out', stockAfter: stock };
      const { rows } = await pool.query<{ stock: number }>(DEDUCT, [userId]);
      return { answer: 'accepted', stockAfter: rows[0]?.stock };
    }),
};
