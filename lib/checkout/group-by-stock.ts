import 'server-only';
import type { StockOrder } from '@/lib/order/types';
import { findSaleInfo } from '@/lib/sale/find-sale-info';

/** Orders by where the stock of their sale lives: what happens to the one kind must reach Redis, to the other not. */
export async function groupByStock(
  orders: readonly StockOrder[],
): Promise<{ inRedis: StockOrder[]; inDatabase: StockOrder[] }> {
  const saleIds = [...new Set(orders.map(({ saleId }) => saleId))];
  const infos = await Promise.all(saleIds.map((saleId) => findSaleInfo(saleId)));
  const database = new Set(saleIds.filter((_, i) => infos[i]?.strategy === 'database'));
  return {
    inRedis: orders.filter(({ saleId }) => !database.has(saleId)),
    inDatabase: orders.filter(({ saleId }) => database.has(saleId)),
  };
}

/** Whether a sale's stock lives in Postgres alone, so that nothing that happens to it need reach Redis. */
export async function isStockInDatabase(saleId: string): Promise<boolean> {
  return (await findSaleInfo(saleId))?.strategy === 'database';
}
