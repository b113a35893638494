import 'server-only';
import { db } from '@/lib/db/client';
import type { StockOrder } from './types';

const BATCH = 100;

/**
 * Finds up to 100 unpaid orders that have been due for more than 5 s, oldest first: their timer has missed them.
 * @param exceptSales sales to leave out: one that fails must not hold up the others.
 */
export async function findOverdue(exceptSales: readonly string[] = []): Promise<StockOrder[]> {
  return db().$queryRaw<StockOrder[]>`
    SELECT id::text AS "orderNo", sale_id AS "saleId", user_id AS "userId" FROM orders
    WHERE status = 'pending_payment' AND pay_by < now() - interval '5 seconds'
      AND sale_id <> ALL (${[...exceptSales]}::text[])
    ORDER BY pay_by LIMIT ${BATCH}`;
}
