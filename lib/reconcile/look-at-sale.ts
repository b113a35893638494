import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { loadingsOf } from '@/lib/slice/loadings';
import { sliceNumberOf } from '@/lib/slice/numbers/stock-ids';
import { probeStock } from '@/lib/stock/probe-stock';
import { readSaleAccount } from '@/lib/verify/read-sale-account';
import { readSaleInRedis } from '@/lib/verify/read-split-account';
import type { SaleAccount } from '@/lib/verify/types';
import { checkBooks } from './check-books';
import { compareSettings } from './check-settings';
import { findDifferences, recheckOrders } from './find-differences';
import type { Tell } from './progress';

/** The result of one look at a sale: what is wrong with the sale as a whole, and with single orders, by number. */
export type Look = {
  sale: SaleAccount;
  books: Difference[];
  orders: Map<string, Difference>;
  inFlight: number;
};

/**
 * Compares everything, or with `earlier` only what that look found wrong.
 * @param tell gets the progress of a look at everything. @returns null for an unknown sale or a draft. @throws
 *   connection errors.
 */
export async function lookAtSale(
  saleId: string,
  earlier?: Look,
  tell: Tell = () => {},
): Promise<Look | null> {
  const sale = await readSaleAccount(saleId);
  if (!sale || sale.status === 'draft') return null;
  const look: Look = { sale, books: [], orders: new Map(), inFlight: earlier?.inFlight ?? 0 };
  if (sale.isInDatabase) return { ...look, books: await checkBooks(sale, null) };
  const unloaded = await findUnloaded(sale);
  if (unloaded) return { ...look, books: [unloaded, ...(await checkBooks(sale, null))] };
  const redis = await readSaleInRedis(sale);
  const compare = async () => [...(await checkBooks(sale, redis)), ...(await compareSettings(saleId))];
  if (!earlier) {
    const { inFlight, differences } = await findDifferences(sale, (stage, done) =>
      tell(stage, done, sale.orders),
    );
    return { ...look, inFlight, orders: differences, books: await compare() };
  }
  const refs = [...earlier.orders.values()].map(({ orderNo, userId }) => ({
    orderNo: orderNo ?? '',
    userId: userId ?? '',
  }));
  const { differences } = await recheckOrders(sale, refs);
  return {
    ...look,
    orders: differences,
    books: earlier.books.length > 0 ? await compare() : [],
  };
}

/** Looks whether Redis holds the sale, and each slice if it is split, as Postgres expects. */
async function findUnloaded(sale: SaleAccount): Promise<Difference | null> {
  for (const { saleId: stockId, epoch } of loadingsOf(sale)) {
    const probe = await probeStock(stockId);
    if (probe.status === 'loaded' && probe.epoch === epoch) continue;
    const held = probe.status === 'unknown_sale' ? '' : ` ${probe.epoch}`;
    const where = sale.slices > 1 ? ` for slice ${sliceNumberOf(stockId)}` : '';
    const detail = `Redis says ${probe.status}${held}, Postgres expects epoch ${epoch}${where}`;
    return { kind: 'not_loaded', orderNo: null, userId: null, detail, repair: 'load' };
  }
  return null;
}

/**
 * Returns the differences that both looks found, as the later one has them: same kind, and same order or the whole
 * sale.
 */
export function lasting(first: Look, second: Look): Look {
  return {
    ...second,
    books: second.books.filter(({ kind }) => first.books.some((book) => book.kind === kind)),
    orders: new Map(
      [...second.orders].filter(([orderNo, { kind }]) => first.orders.get(orderNo)?.kind === kind),
    ),
  };
}
