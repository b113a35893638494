import 'server-only';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { isAwayFromRedis } from '@/lib/fallback/records/read-places';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import type { StockOrder } from '@/lib/order/records/types';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';

/**
 * Groups orders by where the stock of their sale lives. A change to an order must reach Redis only if its stock lives
 * there.
 */
export async function groupByStock<T extends Pick<StockOrder, 'saleId'>>(
  orders: readonly T[],
): Promise<{ inRedis: T[]; inDatabase: T[] }> {
  const saleIds = saleIdsOf(orders);
  const answers = await Promise.all(saleIds.map(isStockInDatabase));
  const database = new Set(saleIds.filter((_, i) => answers[i]));
  return {
    inRedis: orders.filter(({ saleId }) => !database.has(saleId)),
    inDatabase: orders.filter(({ saleId }) => database.has(saleId)),
  };
}

/**
 * Tells whether a sale's stock lives in Postgres alone, always or just now. If so, no change to it need reach Redis.
 * Ask after the change is committed: if the stock is on its way back to Redis, that load then includes the change.
 */
export async function isStockInDatabase(saleId: string): Promise<boolean> {
  const sale = await findSaleInfo(saleId);
  if (!sale) return false;
  if (STRATEGIES[sale.strategy].stock === 'postgres') return true;
  return sale.onStockOutage === 'database' && (await isAwayFromRedis(saleId));
}
