import 'server-only';
import { rememberAccepted, takeOlder } from '@/lib/accepted/accepted-memory';
import { type Db, db } from '@/lib/db/client';
import { loadDurationMs } from '@/lib/db/transaction-limits';
import { completeReturn } from '@/lib/fallback/records/change-mode';
import { log } from '@/lib/http/log';
import { streamBuyers } from '@/lib/order/records/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { openSaleIfReachable } from '@/lib/outbox/open-sales';
import { handOver } from '@/lib/settlement/hand-over';
import { loadStock } from '@/lib/stock/load-stock';
import { probeStock } from '@/lib/stock/probe-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import { loadWaitlist } from '@/lib/waitlist/records/load-waitlist';
import { findInFlight } from './find-in-flight';
import { loadAllowances } from './load-allowances';
import { loadReservations } from './load-reservations';
import { admitInFlight, mergeBuyers } from './merge-buyers';
import { lastTaken, lockSale, readVariantsLeft, settingsOf } from './sale-row';

type RebuildResult = { status: 'loaded'; epoch: number } | { status: 'warm' | 'not_published' };

/** An epoch that only this rebuild has, and the epoch that was loaded before, if any. */
type Claim = { status: 'claimed'; epoch: number; lostEpoch: number | null; isReturn: boolean };
type Loaded = { inFlight: number };

/**
 * Bounds the rounds. In each round more purchases were found on their way than the round before had written; after
 * this many, something is wrong with the sale.
 */
const MAX_DRAINS = 5;
/**
 * After Redis was lost, waiting people get nothing for this long. Web processes look once a second for their own 202s
 * that are lost with it, know the new epoch a second later, and those purchases come first.
 */
const GRACE_MS = 3_000;

/**
 * Loads a sale into Redis from Postgres under a new epoch, with every accepted purchase that is still on its way
 * (decision 015). Redis refuses purchases meanwhile, and the load is one script. The sale's row stays locked, so all
 * readings show one state. A sale that Postgres sold comes back only once those purchases are written.
 * @param brokenEpoch load the sale again although Redis holds it, if it holds this epoch: its numbers are wrong.
 * @throws connection errors; the sale stays closed, the next call starts again.
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
    // The load did not include them. The next rebuild, or the one that overtook this one, must take them in.
    rememberAccepted(saleId, loaded ? claim.epoch : (claim.lostEpoch ?? 0), remembered);
  }
  // A later rebuild has claimed a higher epoch and loads instead of this one.
  if (!loaded) return { status: 'warm' };
  const tookMs = Math.round(performance.now() - startedAt);
  log.info({ saleId, epoch: claim.epoch, inFlight: loaded.inFlight, tookMs }, 'stock rebuilt');
  return { status: 'loaded', epoch: claim.epoch };
}

const inTransaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
  db().$transaction(work, { timeout: loadDurationMs, maxWait: loadDurationMs });

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

/**
 * Stops Redis from accepting purchases under the old epoch, and turns those it has accepted into orders before the
 * new load.
 */
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
  const { totalStock: total, heldStock: held, soldStock: sold } = sale;
  const committed = { total, held, sold, variants: await readVariantsLeft(tx, saleId) };
  const { tiers, variants, byUser } = admitInFlight(committed, inFlight);
  if (sale.reservationOpensAt) await loadReservations(tx, saleId);
  const sharesLimit = await loadAllowances(tx, sale, [saleId]);
  const lastPlace =
    sale.waitlist && (await loadWaitlist(tx, saleId, new Set(inFlight.map(({ orderNo }) => orderNo))));
  const waitlist =
    lastPlace === false
      ? undefined
      : { isOpen: !sale.waitlistClosed, lastPlace, graceMs: lastPlace > 0 ? GRACE_MS : 0 };
  // Before the sale can sell: the relays then read its purchases whatever fails from here on.
  await openSaleIfReachable(saleId);
  await loadStock({
    saleId,
    epoch: claim.epoch,
    ...settingsOf(sale),
    lastTakenAt: lastTaken(sale, inFlight),
    requiresReservation: sale.reservationOpensAt !== null,
    sharesLimit,
    ...tiers,
    variants,
    waitlist,
    buyers: mergeBuyers(streamBuyers(tx, saleId), byUser),
  });
  if (claim.isReturn) await completeReturn(tx, saleId);
  return { inFlight: inFlight.length };
}
