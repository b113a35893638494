import 'server-only';
import { unlessAllOut } from '@/lib/errors/unless-all-out';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { isSoldByDatabase } from '@/lib/fallback/stock-place';
import type { ListRow } from '@/lib/sale/records/list-rows';
import type { ListedSale } from '@/lib/sale/records/listed-sale';
import { readDatabaseStocks } from '@/lib/sale/records/read-database-stock';
import { readShownStock, type ShownStock } from '@/lib/stock/read-shown-stock';

/**
 * Reads these sales as they are right now, wherever they are sold. A sale that Redis does not hold is shown as Postgres
 * last counted it: a list should not load thousands, and the first request for a sale loads it. Leaves out the sales of
 * Postgres, or of one server of a cluster, while that is away.
 * @throws connection errors of Redis
 */
export async function readListedSales(rows: readonly ListRow[]): Promise<ListedSale[]> {
  const isInDatabase = await Promise.all(
    rows.map(({ sale: { saleId }, strategy, onStockOutage }) =>
      isSoldByDatabase({ saleId, strategy, onStockOutage }),
    ),
  );
  const idsInDatabase = rows.flatMap(({ sale }, at) => (isInDatabase[at] ? [sale.saleId] : []));
  const inRedis = rows.flatMap(({ sale }, at) => (isInDatabase[at] ? [] : [sale.saleId]));
  const [fromDatabase, shown] = await Promise.all([
    idsInDatabase.length > 0
      ? unlessOutage(readDatabaseStocks(idsInDatabase), null)
      : new Map<string, ShownStock>(),
    unlessAllOut(
      inRedis.map(async (saleId) => [saleId, await readShownStock(saleId)] as const),
      null,
    ),
  ]);
  const fromRedis = new Map(shown.filter((one) => one !== null));
  return rows.flatMap(({ sale }, at) => {
    if (isInDatabase[at] ? !fromDatabase : !fromRedis.has(sale.saleId)) return [];
    const stock = fromDatabase?.get(sale.saleId) ?? fromRedis.get(sale.saleId);
    if (!stock) return [sale];
    const { startsAt, endsAt, paused, closed, total, available } = stock;
    return [{ ...sale, startsAt, endsAt, paused, closed, total, available }];
  });
}
