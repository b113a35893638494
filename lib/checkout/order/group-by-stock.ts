import 'server-only';
import { isAwayFromRedis } from '@/lib/fallback/read-routes';
import type { StockOrder } from '@/lib/order/types';
import { findSaleInfo } from '@/lib/sale/find-sale-info';

/** Orders by where the stock of their sale lives: what happens to the one kind must reach Redis, to the other not. */
export async function groupByStock<T extends Pick<StockOrder, 'saleId'>>(
  orders: readonly T[],
): Promise<{ inRedis: T[]; inDatabase: T[] }> {
  const saleIds = [...new Set(orders.map(({ saleId }) => saleId))];
  const answers = await Promise.all(saleIds.map(isStockInDatabase));
  const database = new Set(saleIds.filter((_, i) => answers[i]));
  return {
    inRedis: orders.filter(({ saleId }) => !database.has(saleId)),
    inDatabase: orders.filter(({ saleId }) => database.has(saleId)),
  };
}

/**
 * Whether a sale's stock lives in Postgres alone, always or just now, so that nothing that happens to it need reach Redis.
 * To be asked after what happened is committed: should the stock be on its way back, it is loaded with that.
 */
export async function isStockInDatabase(saleId: string): Promise<boolean> {
  const sale = await findSaleInfo(saleId);
  return (
    sale?.strategy === 'database' || (sale?.onStockOutage === 'database' && (await isAwayFromRedis(saleId)))
  );
}
