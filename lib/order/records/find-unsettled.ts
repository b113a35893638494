import 'server-only';
import type { OrderStatus } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import type { StockOrder } from './types';

const BATCH = 100;

/**
 * Finds up to 100 orders whose outcome is older than 10 s and has not reached the stock in Redis, oldest first.
 * @param exceptSales sales to leave out: one that fails must not hold up the others.
 */
export async function findUnsettled(
  exceptSales: readonly string[] = [],
): Promise<(StockOrder & { status: OrderStatus })[]> {
  return db().$queryRaw<(StockOrder & { status: OrderStatus })[]>`
    SELECT id::text AS "orderNo", sale_id AS "saleId", user_id AS "userId", status FROM orders
    WHERE stock_settled_at IS NULL AND status IN ('paid', 'cancelled', 'failed', 'refunded')
      AND updated_at < now() - interval '10 seconds'
      AND sale_id <> ALL (${[...exceptSales]}::text[])
    ORDER BY updated_at LIMIT ${BATCH}`;
}
