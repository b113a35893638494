import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { type Db, db } from '@/lib/db/client';
import { loadDurationMs } from '@/lib/db/transaction-limits';
import { completeReturn } from '@/lib/fallback/change-mode';
import { log } from '@/lib/http/log';
import { streamBuyers } from '@/lib/order/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { openSale } from '@/lib/outbox/open-sales';
import { endOf } from '@/lib/sale/end-of';
import { loadStock } from '@/lib/stock/load-stock';
import { probeStock } from '@/lib/stock/probe-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import type { Sale as SaleRow } from '@/prisma/generated/client';
import { handOver } from '../order/hand-over';
import { rememberAccepted, takeOlder } from '../purchase/accepted-memory';
import { loadReservations } from '../reservation/load-reservations';
import { findInFlight } from './find-in-flight';
import { admitInFlight, mergeBuyers } from './merge-buyers';

type RebuildResult = { status: 'loaded'; epoch: number } | { status: 'warm' | 'not_published' };

/** An epoch that is this rebuild's alone, and the one that was loaded, if any. */
type Claim = { status: 'claimed'; epoch: number; lostEpoch: number | null; isReturn: boolean };
type Loaded = { inFlight: number };

/** Each time more was found on its way than the time before had written: by then something is wrong with the sale. */
const MAX_DRAINS = 5;

/**
 * Loads a sale into Redis from Postgres under a new epoch: what Postgres has committed, and on top of it every accepted
 * purchase that is still on its way. Purchases are refused from before the first reading until the load, which is one
 * script: nobody sees half of it, and a rebuild that dies leaves the sale closed for the next one.
 *
 * A sale that Postgres has sold meanwhile goes back to Redis with this, which begins with writing what is on its way: its
 * stock is loaded only when nothing is any more. While Postgres sells it, nothing is loaded.
 *
 * The sale's row is locked meanwhile, and every transaction that commits or frees units takes that lock, so what is read
 * is one state. The epoch is claimed beforehand: two rebuilds never have the same one, and the script lets the higher win.
 * @param brokenEpoch load the sale anew although Redis holds it, if it is this loading: its numbers are wrong.
 * @throws connection errors; the sale stays closed, the next call begins anew.
 */
export async function rebuildStock(saleId: string, brokenEpoch?: number): Promise<RebuildResult> {
  const claim = await inTransaction((tx) => claimEpoch(tx, saleId, brokenEpoch));
  if (claim.status !== 'claimed') return claim;
  const startedAt = performance.now();
  const remembered = takeOlder(saleId, claim.epoch);
  let loaded: Loaded | null = null;
  try {
    for (let drains = 1; !loaded; drains += 1) {
      if (claim.isReturn) await writeInFlight(saleId, claim, remembered);
      const result = await inTransaction((tx) => load(tx, saleId, claim, remembered));
      if (result === null) break;
      if (result !== 'not_drained') loaded = result;
      else if (drains >= MAX_DRAINS) throw new StockNotLoadedError(`${saleId} could not be drained`);
    }
  } finally {
    // Not in the loading after all: the next one, or the one that overtook this, has to take them in.
    rememberAccepted(saleId, loaded ? claim.epoch : (claim.lostEpoch ?? 0), remembered);
  }
  // Somebody who came later has claimed a higher epoch and loads in our stead.
  if (!loaded) return { status: 'warm' };
  const tookMs = Math.round(performance.now() - startedAt);
  log.info({ saleId, epoch: claim.epoch, inFlight: loaded.inFlight, tookMs }, 'stock rebuilt');
  return { status: 'loaded', epoch: claim.epoch };
}

const inTransaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  db().$transaction(work, { timeout: loadDurationMs, maxWait: loadDurationMs });

async function lockSale(tx: Db, saleId: string): Promise<SaleRow | null> {
  await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR UPDATE`;
  return tx.sale.findUnique({ where: { id: saleId } });
}

async function claimEpoch(
  tx: Db,
  saleId: string,
  brokenEpoch?: number,
): Promise<Claim | { status: 'warm' | 'not_published' }> {
  const sale = await lockSale(tx, saleId);
  if (!sale || sale.status === 'draft') return { status: 'not_published' };
  const probe = await probeStock(saleId);
  const isReturn = sale.stockMode === 'rebuilding';
  const isWarm = probe.status === 'loaded' && probe.epoch === sale.epoch;
  if (isWarm && !isReturn && sale.epoch !== brokenEpoch) return { status: 'warm' };
  if (sale.onStockOutage === 'database' && !isReturn) return { status: 'warm' };
  const lostEpoch = probe.status === 'unknown_sale' ? null : probe.epoch;
  const epoch = Math.max(sale.epoch, lostEpoch ?? 0) + 1;
  await tx.sale.update({ where: { id: saleId }, data: { epoch } });
  return { status: 'claimed', epoch, lostEpoch, isReturn };
}

/** From here on Redis accepts nothing under the old loading: what it has accepted becomes orders before a new one. */
async function writeInFlight(
  saleId: string,
  { lostEpoch: epoch }: Claim,
  remembered: readonly AcceptedOrder[],
): Promise<void> {
  await withdrawStock(saleId);
  await handOver(saleId, await findInFlight(db(), saleId, { epoch, remembered }));
}

async function load(
  tx: Db,
  saleId: string,
  claim: Claim,
  remembered: readonly AcceptedOrder[],
): Promise<Loaded | 'not_drained' | null> {
  const sale = await lockSale(tx, saleId);
  if (sale?.epoch !== claim.epoch || claim.isReturn !== (sale.stockMode === 'rebuilding')) return null;
  await withdrawStock(saleId);
  const inFlight = await findInFlight(tx, saleId, { epoch: claim.lostEpoch, remembered });
  if (claim.isReturn && inFlight.length > 0) return 'not_drained';
  const committed = { total: sale.totalStock, held: sale.heldStock, sold: sale.soldStock };
  const { tiers, byUser } = admitInFlight(committed, inFlight);
  if (sale.reservationOpensAt) await loadReservations(tx, saleId);
  // Before it can sell: whatever fails from here on, what it sells is read by the relays.
  await openSale(saleId);
  await loadStock({
    saleId,
    epoch: claim.epoch,
    startsAt: sale.startsAt.getTime(),
    endsAt: endOf(sale),
    paused: sale.paused,
    closed: sale.status === 'closed',
    lastTakenAt: lastTaken(sale, inFlight),
    gate: sale.gate,
    limit: sale.limitPerUser,
    limits: sale.limits as SaleLimits | null,
    requiresReservation: sale.reservationOpensAt !== null,
    ...tiers,
    buyers: mergeBuyers(streamBuyers(tx, saleId), byUser),
  });
  if (claim.isReturn) await completeReturn(tx, saleId);
  return { inFlight: inFlight.length };
}

/** When a unit was last taken, as Postgres knows it and what is on its way says; null: never. Epoch ms. */
function lastTaken(
  { soldOutAt }: Pick<SaleRow, 'soldOutAt'>,
  inFlight: readonly AcceptedOrder[],
): number | null {
  const known = soldOutAt?.getTime() ?? 0;
  return inFlight.reduce((last, { acceptedAt }) => Math.max(last, acceptedAt), known) || null;
}
