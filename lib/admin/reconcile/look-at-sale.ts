import 'server-only';
import type { Difference } from '@/lib/contract/shapes/reconcile';
import { probeStock } from '@/lib/stock/probe-stock';
import { readRedisAccount } from '../verify/read-redis-account';
import { readSaleAccount } from '../verify/read-sale-account';
import type { SaleAccount } from '../verify/types';
import { checkBooks } from './check-books';
import { checkSettings } from './check-settings';
import { findDifferences, lookAgain } from './find-differences';
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
  const probe = await probeStock(saleId);
  if (probe.status !== 'loaded' || probe.epoch !== sale.epoch) {
    const held = probe.status === 'unknown_sale' ? '' : ` ${probe.epoch}`;
    const detail = `Redis says ${probe.status}${held}, Postgres expects epoch ${sale.epoch}`;
    const unloaded: Difference = { kind: 'not_loaded', orderNo: null, userId: null, detail, repair: 'load' };
    return { ...look, books: [unloaded, ...(await checkBooks(sale, null))] };
  }
  const redis = await readRedisAccount(saleId);
  const compare = async () => [...(await checkBooks(sale, redis)), ...(await checkSettings(saleId))];
  if (!earlier) {
    const { inFlight, differences } = await findDifferences(saleId, sale.epoch, (stage, done) =>
      tell(stage, done, sale.orders),
    );
    return { ...look, inFlight, orders: differences, books: await compare() };
  }
  const refs = [...earlier.orders.values()].map(({ orderNo, userId }) => ({
    orderNo: orderNo ?? '',
    userId: userId ?? '',
  }));
  const { differences } = await lookAgain(saleId, sale.epoch, refs);
  return {
    ...look,
    orders: differences,
    books: earlier.books.length > 0 ? await compare() : [],
  };
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
