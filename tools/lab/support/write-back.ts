import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { Attempt } from '../types';
import { readStockRow } from './database-contestant';
import { ORDERS_KEY, readStock, STOCK_KEY } from './redis-contestant';

const DEDUCT = `
  WITH deducted AS (UPDATE lab.stock SET stock = $1 WHERE id = 1),
       placed AS (INSERT INTO lab.orders (user_id) VALUES ($2))
  SELECT 1`;

/**
 * Reads the stock, checks it in the application and writes the difference back, as an object mapper's
 * `setStock(getStock() - 1)` does. Without a lock this is wrong: it overwrites the writes that others made in
 * between. Under a lock it is right.
 */
export async function writeBackRow(pool: pg.Pool, userId: string): Promise<Attempt> {
  const stock = await readStockRow(pool);
  if (stock <= 0) return { answer: 'sold_out', stockAfter: stock };
  await pool.query(DEDUCT, [stock - 1, userId]);
  return { answer: 'accepted', stockAfter: stock - 1 };
}

/** Does the same with the stock in Redis. */
export async function writeBackKey(redis: Redis, userId: string): Promise<Attempt> {
  const stock = await readStock(redis);
  if (stock <= 0) return { answer: 'sold_out', stockAfter: stock };
  await Promise.all([redis.set(STOCK_KEY, stock - 1), redis.rpush(ORDERS_KEY, userId)]);
  return { answer: 'accepted', stockAfter: stock - 1 };
}
