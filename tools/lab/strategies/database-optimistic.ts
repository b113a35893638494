import { databaseContestant } from '../support/database-contestant';
import type { Strategy } from '../types';

const DEDUCT = `
  WITH deducted AS (UPDATE lab.stock SET stock = stock - 1 WHERE id = 1 AND stock > 0 RETURNING stock),
       placed AS (INSERT INTO lab.orders (user_id) SELECT $1 FROM deducted)
  SELECT stock FROM deducted`;

/**
 * Database, optimistic: `UPDATE … SET stock = stock - 1 WHERE stock > 0`, and the row count is the answer.
 *
 * Right: Postgres checks the condition under the row's lock, and again after waiting for it. That lock is its limit:
 * all buyers queue for one row. So we use it as the fallback and for quiet sales, not for the rush.
 */
export const databaseOptimistic: Strategy = {
  name: 'database-optimistic',
  title: 'Database: update where stock > 0',
  source: 'PostgreSQL documentation, 13.2.1: the WHERE clause is evaluated again on the updated row',
  isCorrect: true,
  processes: 2,
  create: (stores) =>
    databaseContestant(stores, async (pool, userId) => {
      const { rows } = await pool.query<{ stock: number }>(DEDUCT, [userId]);
      const [row] = rows;
      return row ? { answer: 'accepted', stockAfter: row.stock } : { answer: 'sold_out' };
    }),
};
