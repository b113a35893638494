import 'server-only';
import { createHash } from 'node:crypto';
import type { Actor } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { SaleInfo, StockTiers } from '@/lib/contract/shapes/sale';
import { MAX_STOCK } from '@/lib/contract/shapes/sale-fields';
import { hasVariant } from '@/lib/contract/words/variant';
import type { Db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { unlessOutage } from '@/lib/errors/unless-outage';
import { log } from '@/lib/http/log';
import { newId } from '@/lib/ids/new-id';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { markProcessed } from '@/lib/outbox/mark-processed';
import { forgetAtCdn } from '@/lib/pages/forget-at-cdn';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { readDatabaseStock } from '@/lib/sale/records/read-database-stock';
import type { SaleWithParts } from '@/lib/sale/records/to-sale-info';
import { addToSlices, takeFromSlices } from '@/lib/slice/restock-slices';
import { settleParcels } from '@/lib/slice/settle-parcels';
import { readStock } from '@/lib/stock/read-stock';
import { restock } from '@/lib/stock/restock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { serveFreed } from '@/lib/waitlist/giving/serve-waitlist';
import { type ChangeResult, changeSale } from './change-sale';
import { stockNeedsApproval } from './stock-needs-approval';

/** The consumer name under which `markProcessed` remembers the callers' ids of changes already made. */
const MADE = 'admin-restock';

type Refusal =
  | { status: 'unlimited' }
  | { status: 'too_many'; max: number }
  /** The sale has variants and the change names none of them, or it has none. */
  | { status: 'variant_unknown' }
  /** At most `available` units, of the variant where the sale has some, could be taken back. */
  | { status: 'below_committed'; available: number }
  /** The sale is over; nobody could buy added units. */
  | { status: 'over' }
  /** An increase this large takes two people. */
  | { status: 'needs_approval' }
  /** The caller's name for this change has made another one before. */
  | { status: 'made_otherwise' };

/** The same change was made before; `restockSale` handles this itself. */
type Repeated = { status: 'repeated' };

export type RestockSaleResult =
  | { status: 'restocked'; stock: StockTiers }
  | Exclude<ChangeResult<Refusal>, { status: 'changed' }>;

type RestockOptions = {
  /** In the actor's words. */
  reason?: string;
  /** Which variant, by its number from 1; left out: the sale has none. */
  variant?: number;
  /** The caller's own name for this change. Repeating it changes nothing; with other units it is refused. */
  requestId?: string;
  /** True if no second person has agreed: then large increases are refused. */
  isAlone?: boolean;
  /** More work for the same transaction. */
  within?: (tx: Db) => Promise<void>;
};

/** A change of a sale's stock, and what is learned while it is made. */
type Change = {
  saleId: string;
  delta: number;
  /** The number of a variant; 0: the sale has none. */
  variant: number;
  isAlone: boolean;
  /** The caller's name for it; null: none. */
  callers: string | null;
  /** Redis's name for it, which a repeated try gives again. */
  name: string;
  /** When units were taken back, epoch ms. */
  takenAt: number;
  stock: StockTiers | undefined;
  hasStockInDatabase: boolean;
  isSplit: boolean;
};

/**
 * Adds units to a sale or takes unsold ones back. Wherever it is interrupted, Redis never sells a unit that Postgres
 * does not have: added units reach Redis after the commit, units taken back leave it before. If Redis can't be told
 * of added units, the next reconciliation puts them on sale.
 */
export async function restockSale(
  actor: Actor,
  saleId: string,
  delta: number,
  { reason, variant = 0, requestId: callersId, isAlone = false, within }: RestockOptions = {},
): Promise<RestockSaleResult> {
  // Adding units doesn't need Redis: if it has lost the sale, the next load brings them along.
  if (delta < 0) await ensureStockLoaded(saleId);
  const change: Change = {
    saleId,
    delta,
    variant,
    isAlone,
    callers: callersId === undefined ? null : nameOf(`${saleId} ${callersId}`),
    name:
      callersId === undefined
        ? newId('restock')
        : nameOf([saleId, callersId, delta, ...(variant ? [variant] : [])].join(' ')),
    takenAt: nowMs(),
    stock: undefined,
    hasStockInDatabase: false,
    isSplit: false,
  };
  const result = await changeSale<Refusal | Repeated>(actor, saleId, {
    action: 'sale.restock',
    act: 'stock',
    reason,
    within,
    from: ['published'],
    refuse: (sale, tx) => refuse(change, sale, tx),
    data: () => ({
      totalStock: { increment: delta },
      soldOutAt: delta < 0 ? new Date(change.takenAt) : undefined,
      ...(variant > 0 && {
        variants: {
          update: {
            where: { saleId_number: { saleId, number: variant } },
            data: { stock: { increment: delta } },
          },
        },
      }),
    }),
    inRedis: (sale, tx) => changeBeforeCommit(change, sale, tx),
  }).finally(() => settleSplit(change));
  if (result.status === 'repeated') {
    const { hasStockInDatabase } = change;
    const stock = tiersOf(await (hasStockInDatabase ? readDatabaseStock(saleId) : readStock(saleId)));
    if (!stock) throw new StockNotLoadedError(`${saleId} was changed and is not loaded`);
    return { status: 'restocked', stock };
  }
  if (result.status !== 'changed') return result;
  await changeAfterCommit(change, result.sale);
  if (!change.stock) throw new Error('restocked without a reply');
  forgetAtCdn([result.sale.slug]);
  return { status: 'restocked', stock: change.stock };
}

/** Says why the change can't be made, under the lock of the sale's row. */
async function refuse(
  change: Change,
  { totalStock, heldStock, soldStock, stockMargin, strategy, stockMode, soldOutAt, variants }: SaleWithParts,
  tx: Db,
): Promise<Refusal | Repeated | null> {
  const { saleId, delta, variant, callers, name, isAlone } = change;
  if (!hasVariant(variants, variant)) return { status: 'variant_unknown' };
  change.takenAt = Math.max(change.takenAt, soldOutAt?.getTime() ?? 0);
  change.hasStockInDatabase = isInDatabase({ strategy, stockMode });
  if (callers !== null) {
    const fresh = await markProcessed(tx, MADE, [callers, name].sort());
    if (!fresh.has(name)) return { status: 'repeated' };
    if (!fresh.has(callers)) return { status: 'made_otherwise' };
  }
  if (totalStock === -1) return { status: 'unlimited' };
  if (totalStock + delta > MAX_STOCK) return { status: 'too_many', max: MAX_STOCK };
  if (delta > 0 && (await isOver(tx, saleId))) return { status: 'over' };
  // The lock matters here: two increases at once could each stay below the limit for one person.
  if (isAlone && (await stockNeedsApproval(tx, saleId, delta))) return { status: 'needs_approval' };
  const held = heldStock + stockMargin;
  const free = totalStock - held - soldStock;
  change.stock = { total: totalStock + delta, available: free + delta, held, sold: soldStock };
  const available = variant > 0 ? await freeOf(tx, saleId, variant) : free;
  return delta < 0 && available + delta < 0 ? { status: 'below_committed', available } : null;
}

/** Returns the units of a variant that are neither held nor sold. */
async function freeOf(tx: Db, saleId: string, number: number): Promise<number> {
  const where = { saleId_number: { saleId, number } };
  const { stock, held, sold } = await tx.saleVariant.findUniqueOrThrow({ where });
  return stock - held - sold;
}

/** Takes units back from Redis, or notes for the slices what they are to get. */
async function changeBeforeCommit(change: Change, sale: SaleInfo, tx: Db): Promise<Refusal | null> {
  const { delta, takenAt } = change;
  if (sale.slices === 1) return delta < 0 ? tellRedis(change, sale) : null;
  change.isSplit = true;
  if (delta > 0) {
    await addToSlices(tx, sale, delta);
    return null;
  }
  const available = await takeFromSlices(tx, sale, -delta, takenAt);
  return available === null ? null : { status: 'below_committed', available };
}

/** Puts added units on sale, and reads how the stock is now. */
async function changeAfterCommit(change: Change, sale: SaleInfo): Promise<void> {
  const { saleId, delta } = change;
  if (change.hasStockInDatabase) change.stock = tiersOf(await readDatabaseStock(saleId)) ?? change.stock;
  else if (change.isSplit)
    change.stock = tiersOf(await unlessOutage(readStock(saleId), null)) ?? change.stock;
  else if (delta > 0) {
    try {
      await tellRedis(change, sale);
      if (!sale.waitlist) return;
      await serveFreed(saleId);
      change.stock = tiersOf(await readStock(saleId)) ?? change.stock;
    } catch (err) {
      // The change is committed: after an error the merchant would add the units twice.
      if (!isOutage(err)) throw err;
      log.warn({ saleId, delta, err }, 'added units wait for the reconciliation');
    }
  }
}

async function tellRedis(change: Change, { epoch }: Pick<SaleInfo, 'epoch'>): Promise<Refusal | null> {
  const { saleId, delta, variant, name: requestId, takenAt } = change;
  const reply = await restock({ saleId, epoch, delta, variant, requestId, takenAt });
  switch (reply.status) {
    case 'restocked':
    case 'already_restocked':
      change.stock = tiersOf(reply);
      return null;
    case 'below_committed':
      return { status: 'below_committed', available: reply.available };
    case 'unlimited':
      return { status: 'unlimited' };
    default:
      throw new StockNotLoadedError(`${saleId} under epoch ${epoch}: ${reply.status}`);
  }
}

/** Brings added units to the slices, or back what was taken for a change that was refused. */
async function settleSplit({ saleId, delta, isSplit }: Change): Promise<void> {
  if (!isSplit) return;
  await settleParcels(saleId).catch((err: unknown) => {
    if (!isOutage(err)) throw err;
    log.warn({ saleId, delta, err }, 'units wait for a worker to bring them to their slices');
  });
}

/**
 * Makes a name short enough for Redis. Redis gets the same name again if a first attempt was rolled back after it had
 * reached Redis.
 */
const nameOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

/** Checks by Postgres's clock, which all processes share. */
async function isOver(tx: Db, saleId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isOver: boolean }[]>`
    SELECT ends_at <= clock_timestamp() AS "isOver" FROM sales WHERE id = ${saleId}`;
  return row?.isOver ?? false;
}

function tiersOf(stock: StockTiers | null): StockTiers | undefined {
  return stock
    ? { total: stock.total, available: stock.available, held: stock.held, sold: stock.sold }
    : undefined;
}
