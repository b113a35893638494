import 'server-only';
import type { Situation } from '@/lib/contract/shapes/live';
import type { StockTiers } from '@/lib/contract/shapes/sale';
import type { StockMode } from '@/lib/contract/words/sale';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import type { SaleWithParts } from '@/lib/sale/records/to-sale-info';
import { toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { readStock } from '@/lib/stock/read-stock';
import { salePhase } from '@/lib/stock/sale-phase';
import type { Stock } from '@/lib/stock/types';

export type SaleRow = SaleWithParts;

const tiersOf = ({ total, available, held, sold, ...stock }: StockTiers & Pick<Stock, 'variants'>) => ({
  total,
  available,
  held,
  sold,
  ...(stock.variants && { variants: [...stock.variants] }),
});

/**
 * Returns how a sale stands at this instant, from its row and one query to the store that holds its stock. If that is
 * Redis and it can't be reached, the stock is unknown and Postgres gives the phase by the time: so a live page can be
 * opened then too.
 */
export async function readSituation(row: SaleRow): Promise<Situation> {
  const held = isInDatabase(row) ? 'elsewhere' : await unlessOutage(readStock(row.id), 'away' as const);
  const stock = held === 'elsewhere' || held === 'away' ? await readDatabaseStock(row.id) : held;
  const tiers = held === 'away' ? null : stock;
  return {
    sale: toSaleInfo(row),
    stockMode: row.stockMode as StockMode,
    phase: stock && salePhase(stock),
    serverTime: stock?.serverTime ?? Date.now(),
    stock: tiers && tiersOf(tiers),
    database: { held: row.heldStock, sold: row.soldStock },
  };
}
