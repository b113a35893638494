import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { loadDurationMs } from '@/lib/db/transaction-limits';
import { log } from '@/lib/http/log';
import { streamBuyers } from '@/lib/order/stream-buyers';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import { openSale } from '@/lib/outbox/open-sales';
import { loadStock } from '@/lib/stock/load-stock';
import { probeStock } from '@/lib/stock/probe-stock';
import { withdrawStock } from '@/lib/stock/withdraw-stock';
import type { Sale as SaleRow } from '@/prisma/generated/client';
import { rememberAccepted, takeOlder } from './accepted-memory';
import { findInFlight } from './find-in-flight';
import { admitInFlight, mergeBuyers } from './merge-buyers';

export type RebuildResult = { status: 'loaded'; epoch: number } | { status: 'warm' | 'not_published' };

/** An epoch that is this rebuild's alone, and the one that was loaded, if any. */
type Claim = { status: 'claimed'; epoch: number; lostEpoch: number | null };
type Loaded = { inFlight: number };

/**
 * Loads a sale into Redis from Postgres under a new epoch: what Postgres has committed, and on top of it every accepted
 * purchase that is still on its way. Purchases are refused from before the first reading until the load, which is one
 * script: nobody sees half of it, and a rebuild that dies leaves the sale closed for the next one.
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
    loaded = await inTransaction((tx) => load(tx, saleId, claim, remembered));
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
  const isWarm = probe.status === 'loaded' && probe.epoch === sale.epoch;
  if (isWarm && sale.epoch !== brokenEpoch) return { status: 'warm' };
  const lostEpoch = probe.status === 'unknown_sale' ? null : probe.epoch;
  const epoch = Math.max(sale.epoch, lostEpoch ?? 0) + 1;
  await tx.sale.update({ where: { id: saleId }, data: { epoch } });
  return { status: 'claimed', epoch, lostEpoch };
}

async function load(
  tx: Db,
  saleId: string,
  claim: Claim,
  remembered: readonly AcceptedOrder[],
): Promise<Loaded | null> {
  const sale = await lockSale(tx, saleId);
  if (sale?.epoch !== claim.epoch) return null;
  await withdrawStock(saleId);
  const inFlight = await findInFlight(tx, saleId, { epoch: claim.lostEpoch, remembered });
  const committed = { total: sale.totalStock, held: sale.heldStock, sold: sale.soldStock };
  const { tiers, byUser } = admitInFlight(committed, inFlight);
  // Before it can sell: whatever fails from here on, what it sells is read by the relays.
  await openSale(saleId);
  await loadStock({
    saleId,
    epoch: claim.epoch,
    startsAt: sale.startsAt.getTime(),
    endsAt: sale.endsAt.getTime(),
    paused: sale.paused,
    closed: sale.status === 'closed',
    gate: sale.gate,
    limit: sale.limitPerUser,
    ...tiers,
    buyers: mergeBuyers(streamBuyers(tx, saleId), byUser),
  });
  return { inFlight: inFlight.length };
}
