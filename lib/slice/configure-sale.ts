import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { configureStock } from '@/lib/stock/configure-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { loadingsOf } from './loadings';
import { sliceLimits } from './slice-limits';

type Change = Omit<Parameters<typeof configureStock>[0], 'saleId' | 'epoch'>;

/**
 * Changes settings of a sale in Redis: in all its slices, if it is split. If one can't be reached, those before it have
 * the change; the caller rolls back, and the reconciliation gives all of them what Postgres says.
 * @throws StockNotLoadedError if Redis holds another loading of it, connection errors
 */
export async function configureSale(sale: SaleInfo, { limits, ...change }: Change): Promise<void> {
  for (const stock of loadingsOf(sale)) {
    const limited = limits === undefined ? {} : { limits: sliceLimits(limits, sale.slices) };
    const { status } = await configureStock({ ...stock, ...change, ...limited });
    if (status !== 'configured')
      throw new StockNotLoadedError(`${stock.saleId} under epoch ${stock.epoch}: ${status}`);
  }
}
