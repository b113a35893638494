import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/ensure-stock-loaded';
import { readDatabaseStock } from '@/lib/checkout/read-database-stock';
import type { Db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import type { SaleInfo } from '@/lib/sale/types';
import { restock } from '@/lib/stock/restock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { StockTiers } from '@/lib/stock/types';
import type { Actor } from './actor';
import { type ChangeResult, changeSale } from './change-sale';

const MAX_STOCK = 1_000_000_000;

type Refusal =
  | { status: 'unlimited' }
  | { status: 'too_many'; max: number }
  /** `available` more units could be taken back at most. */
  | { status: 'below_committed'; available: number };

export type RestockSaleResult =
  | { status: 'restocked'; stock: StockTiers }
  | Exclude<ChangeResult<Refusal>, { status: 'changed' }>;

/**
 * Adds units to a sale or takes unsold ones back. Whatever is interrupted in between, Redis never sells a unit that
 * Postgres does not have: what is added reaches Redis after the commit, what is taken back before it. Added units that
 * Redis could not be told of are on sale once the two are reconciled.
 * @param reason in the actor's words. @param within what is to be in the same transaction
 */
export async function restockSale(
  actor: Actor,
  saleId: string,
  delta: number,
  reason?: string,
  within?: (tx: Db) => Promise<void>,
): Promise<RestockSaleResult> {
  // What is added needs no Redis: one that lost the sale is loaded with it.
  if (delta < 0) await ensureStockLoaded(saleId);
  const requestId = newId('restock');
  let stock: StockTiers | undefined;
  let isInDatabase = false;
  const tellRedis = async ({ epoch }: Pick<SaleInfo, 'epoch'>): Promise<Refusal | null> => {
    const reply = await restock({ saleId, epoch, delta, requestId });
    switch (reply.status) {
      case 'restocked':
      case 'already_restocked': {
        stock = tiersOf(reply);
        return null;
      }
      case 'below_committed':
        return { status: 'below_committed', available: reply.available };
      case 'unlimited':
        return { status: 'unlimited' };
      default:
        throw new StockNotLoadedError(`${saleId} under epoch ${epoch}: ${reply.status}`);
    }
  };
  const result = await changeSale<Refusal>(actor, saleId, {
    action: 'sale.restock',
    ...{ reason, within },
    from: ['published'],
    refuse: ({ totalStock, heldStock, soldStock, stockMargin, strategy, stockMode }) => {
      if (totalStock === -1) return { status: 'unlimited' };
      if (totalStock + delta > MAX_STOCK) return { status: 'too_many', max: MAX_STOCK };
      isInDatabase = strategy === 'database' || stockMode !== 'redis';
      const held = heldStock + stockMargin;
      const free = totalStock - held - soldStock;
      stock = { total: totalStock + delta, available: free + delta, held, sold: soldStock };
      return delta < 0 && free + delta < 0 ? { status: 'below_committed', available: free } : null;
    },
    data: () => ({ totalStock: { increment: delta } }),
    inRedis: async (sale) => (delta < 0 ? tellRedis(sale) : null),
  });
  if (result.status !== 'changed') return result;
  if (isInDatabase) {
    stock = tiersOf(await readDatabaseStock(saleId)) ?? stock;
  } else if (delta > 0) {
    try {
      await tellRedis(result.sale);
    } catch (err) {
      // Committed is committed: an error would have the merchant add them twice.
      if (!isOutage(err)) throw err;
      log.warn({ saleId, delta, err }, 'added units wait for the reconciliation');
    }
  }
  if (!stock) throw new Error('restocked without a reply');
  return { status: 'restocked', stock };
}

function tiersOf(stock: StockTiers | null): StockTiers | undefined {
  return stock
    ? { total: stock.total, available: stock.available, held: stock.held, sold: stock.sold }
    : undefined;
}
