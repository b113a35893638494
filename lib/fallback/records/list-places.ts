import 'server-only';
import { db } from '@/lib/db/client';
import type { StockPlace } from './types';

const MAX_SALES = 1_000;

/**
 * Lists the sales that can go over to Postgres and that sell or may still have orders on their way. @throws
 * connection errors.
 */
export function listPlaces(): Promise<StockPlace[]> {
  return db().$queryRaw<StockPlace[]>`
    SELECT id AS "saleId", stock_mode AS mode, epoch, total_stock AS total FROM sales
    WHERE on_stock_outage = 'database' AND ends_at > now() - interval '1 hour' AND status <> 'draft'
      AND (closed_at IS NULL OR closed_at > now() - interval '1 hour')
    ORDER BY starts_at LIMIT ${MAX_SALES}`;
}
