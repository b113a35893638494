import 'server-only';
import { readDatabaseStock } from '@/lib/checkout/read-database-stock';
import type { StockMode } from '@/lib/fallback/types';
import { toSaleInfo } from '@/lib/sale/types';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Product, Sale } from '@/prisma/generated/client';
import type { Situation } from './types';

export type SaleRow = Sale & { product: Product };

/** Whether Postgres alone holds the stock, always or just now. */
export const isSoldByDatabase = ({ strategy, stockMode }: SaleRow): boolean =>
  strategy === 'database' || stockMode !== 'redis';

/** How a sale stands at this instant, from its row and one question to who holds its stock. */
export async function readSituation(row: SaleRow): Promise<Situation> {
  const stock = await (isSoldByDatabase(row) ? readDatabaseStock(row.id) : readStock(row.id));
  return {
    sale: toSaleInfo(row),
    stockMode: row.stockMode as StockMode,
    phase: stock && salePhase(stock),
    serverTime: stock?.serverTime ?? Date.now(),
    stock: stock && { total: stock.total, available: stock.available, held: stock.held, sold: stock.sold },
    database: { held: row.heldStock, sold: row.soldStock },
  };
}
