import 'server-only';
import type { Page } from '@/lib/http/cursor';
import { listSales } from '@/lib/sale/list-sales';
import type { SaleInfo } from '@/lib/sale/types';
import { readStock } from '@/lib/stock/read-stock';
import { recentStock } from '@/lib/stock/recent-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { SalePhase } from '@/lib/stock/types';
import { readDatabaseStock } from './read-database-stock';
import { isSoldByDatabase } from './stock-route';

export type LiveSale = Pick<
  SaleInfo,
  | 'saleId'
  | 'slug'
  | 'title'
  | 'imageUrl'
  | 'priceMinor'
  | 'listPriceMinor'
  | 'currency'
  | 'startsAt'
  | 'endsAt'
  | 'reservation'
> & { status: SalePhase; stock: { total: number; available: number } };

/** Sales for shoppers with what is left of each right now. */
export async function listLiveSales(page: Page): Promise<{ sales: LiveSale[]; nextCursor: string | null }> {
  const { sales, nextCursor } = await listSales(page);
  return { sales: await Promise.all(sales.map(withStock)), nextCursor };
}

async function withStock(sale: SaleInfo): Promise<LiveSale> {
  const { saleId, slug, title, imageUrl, priceMinor, listPriceMinor, currency, reservation } = sale;
  const isInDatabase = await isSoldByDatabase(sale);
  const inRedis = isInDatabase ? null : await readStock(saleId);
  // Cold stock is loaded by the first state or purchase request; a list should not load fifty sales.
  const stock = inRedis ?? (await recentStock(saleId, readDatabaseStock));
  if (!stock) throw new Error(`sale ${saleId} is listed and has no row`);
  return {
    ...{ saleId, slug, title, imageUrl, priceMinor, listPriceMinor, currency, reservation },
    startsAt: stock.startsAt,
    endsAt: stock.endsAt,
    status: salePhase(stock),
    stock: { total: stock.total, available: stock.available },
  };
}
