import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { sliceNumberOf, stockFor, stocksOf } from '@/lib/slice/numbers/stock-ids';

/** The facts that say which loading of each slice is valid. */
export type LoadedSale = Pick<SaleInfo, 'saleId' | 'slices' | 'epoch' | 'sliceEpochs'>;

/** Returns which loading of a stock of the sale is valid, of an undivided sale or of one slice; 0: none yet. */
export const loadingOf = (sale: Omit<LoadedSale, 'saleId'>, stockId: string): number =>
  sale.slices > 1 ? (sale.sliceEpochs[sliceNumberOf(stockId)] ?? 0) : sale.epoch;

/** Lists the stocks of a sale, one for each slice, in the form that the verbs of the stock take. */
export const loadingsOf = (sale: LoadedSale): { saleId: string; epoch: number }[] =>
  stocksOf(sale.saleId, sale.slices).map((stockId) => ({
    saleId: stockId,
    epoch: loadingOf(sale, stockId),
  }));

/** Returns the stock from which a user buys, and its valid loading. */
export function stockOfBuyer(sale: LoadedSale, userId: string): { stockId: string; epoch: number } {
  const stockId = stockFor(sale.saleId, userId, sale.slices);
  return { stockId, epoch: loadingOf(sale, stockId) };
}
