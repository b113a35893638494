import 'server-only';
import { unlessOutage } from '@/lib/errors/unless-outage';
import type { ListRow } from '@/lib/sale/list-rows';
import type { ListedSale } from '@/lib/sale/listed-sale';
import { readShownStock, type ShownStock } from '@/lib/stock/read-shown-stock';
import { isSoldByDatabase } from '../purchase/stock-place';
import { readDatabaseStocks } from './read-database-stock';

/**
 * Reads these sales as they are right now, wherever they are sold. A sale that Redis does not hold is shown as
 * Postgres last counted it: its first state or purchase request loads it, and a list should not load thousands. While
 * Postgres is away, leaves out the sales that Postgres sells. @throws connection errors of Redis
 */
export async function readListedSales(rows: readonly ListRow[]): Promise<ListedSale[]> {
  const isInDatabase = await Promise.all(
    rows.map(({ sale: { saleId }, strategy, onStockOutage }) =>
      isSoldByDatabase({ saleId, strategy, onStockOutage }),
    ),
  );
  const idsInDatabase = rows.flatMap(({ sale }, at) => (isInDatabase[at] ? [sale.saleId] : []));
  const [fromDatabase, fromRedis] = await Promise.all([
    idsInDatabase.length > 0
      ? unlessOutage(readDatabaseStocks(idsInDatabase), null)
      : new Map<string, ShownStock>(),
    Promise.all(rows.map(({ sale }, at) => (isInDatabase[at] ? null : readShownStock(sale.saleId)))),
  ]);
  return rows.flatMap(({ sale }, at) => {
    if (isInDatabase[at] && !fromDatabase) return [];
    const stock = fromDatabase?.get(sale.saleId) ?? fromRedis[at];
    if (!stock) return [sale];
    const { startsAt, endsAt, paused, closed, total, available } = stock;
    return [{ ...sale, startsAt, endsAt, paused, closed, total, available }];
  });
}
