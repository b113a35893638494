import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { loadingsOf } from '@/lib/slice/loadings';
import { closeStock } from '@/lib/stock/close-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';

/**
 * Ends a sale in Redis, every slice of it.
 * @returns the moment that Redis decided, in ms; shoppers have seen it
 * @throws StockNotLoadedError if Redis holds the sale no more; connection errors
 */
export async function closeStocks(sale: SaleInfo): Promise<number> {
  let endsAt = 0;
  for (const stock of loadingsOf(sale)) {
    const reply = await closeStock(stock);
    if (reply.status !== 'closed' && reply.status !== 'already_closed')
      throw new StockNotLoadedError(`${stock.saleId} under epoch ${stock.epoch}: ${reply.status}`);
    endsAt = Math.max(endsAt, reply.endsAt);
  }
  return endsAt;
}
