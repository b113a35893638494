import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from '@/lib/clock';
import type { Difference, ReconcileReport } from '@/lib/contract/shapes/reconcile';
import type { DifferenceKind, DifferenceOutcome, ReconcileCause } from '@/lib/contract/words/reconcile';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { withLock } from '@/lib/lock/with-lock';
import { openSale } from '@/lib/outbox/open-sales';
import { closeRepaired, findReported } from '@/lib/outbox/report-problem';
import { loadingsOf } from '@/lib/slice/loadings';
import { settleParcels } from '@/lib/slice/settle-parcels';
import { findAgreed } from './find-differences';
import { keepReport } from './keep-report';
import { type Look, lasting, lookAtSale } from './look-at-sale';
import { openProgress, type Tell } from './progress';
import { reconcileMoney } from './reconcile-money';
import { repairDifference } from './repair-difference';

const LOCK_TTL_MS = 30_000;
const LOCK_ALERT_MS = 120_000;
const MAX_LISTED = 100;
const DEFAULT_GRACE_MS = 5_000;

export type ReconcileOptions = {
  cause: ReconcileCause;
  /** True: repairs what is safe to repair. False: only names it. */
  isRepairing: boolean;
  /** Repairs only these kinds; every safe one if left out. */
  kinds?: readonly DifferenceKind[];
  /** How long a difference may take to disappear by itself before it counts, in ms. Default 5,000. */
  graceMs?: number;
  /** How long to wait for another reconciliation of the sale to end, in ms. Default 0. */
  waitMs?: number;
  /** Ends the wait for differences to disappear, and with it the reconciliation. */
  signal?: AbortSignal;
  /** More work for the transaction that stores the report; called last in it. */
  alongside?: (tx: Db, report: ReconcileReport) => Promise<void>;
};

export type ReconcileResult =
  | { status: 'done'; report: ReconcileReport }
  | { status: 'not_published' }
  /** Another process is reconciling this sale. */
  | { status: 'busy' };

/**
 * Compares Redis, outbox and Postgres for one sale, then payments with the providers, and repairs each lasting difference
 * that is safe to repair. It may run on a live sale, be repeated or be killed: a difference counts only at a second look,
 * and every repair checks the state itself. It also closes reports about orders on which both agree.
 * @throws connection errors; AbortError when `signal` fires while it waits.
 */
export async function reconcileSale(saleId: string, options: ReconcileOptions): Promise<ReconcileResult> {
  const lock = { ttlMs: LOCK_TTL_MS, acquireTimeoutMs: options.waitMs ?? 0, alertAfterMs: LOCK_ALERT_MS };
  const locked = await withLock(`reconcile:${saleId}`, lock, () => reconcile(saleId, options));
  if (locked.status === 'not_acquired') return { status: 'busy' };
  return locked.value ? { status: 'done', report: locked.value } : { status: 'not_published' };
}

async function reconcile(saleId: string, options: ReconcileOptions): Promise<ReconcileReport | null> {
  const { tell, end } = openProgress(saleId);
  try {
    return await run(saleId, options, tell);
  } finally {
    await end();
  }
}

async function run(saleId: string, options: ReconcileOptions, tell: Tell): Promise<ReconcileReport | null> {
  const { cause, isRepairing, kinds, graceMs = DEFAULT_GRACE_MS, signal } = options;
  const checkedAt = nowMs();
  tell('purchases');
  await settleParcels(saleId);
  const first = await lookAtSale(saleId, undefined, tell);
  if (!first) return null;
  const found = isClean(first) ? first : await afterGrace(saleId, first, { graceMs, signal }, tell);
  if (!found) return null;
  // The relays must read the waiting messages, even if the sale is missing from their list.
  if (isRepairing && found.inFlight > 0)
    for (const { saleId: stockId } of loadingsOf(found.sale)) await openSale(stockId);
  const repaired =
    isRepairing && !isClean(found) ? await repair(saleId, found, tell, kinds) : new Set<Difference>();
  // Last: a provider may take long to answer.
  const isAsking = isRepairing && (kinds?.includes('provider_books') ?? true);
  const money = await reconcileMoney(found.sale, { graceMs, isRepairing: isAsking, signal });
  for (const difference of money.repaired) repaired.add(difference);

  const all = [...listed(found), ...money.found];
  const counts: ReconcileReport['counts'] = {};
  for (const { kind } of all) counts[kind] = (counts[kind] ?? 0) + 1;
  const outcome = (difference: Difference): DifferenceOutcome => {
    if (repaired.has(difference)) return 'repaired';
    return difference.repair ? 'open' : 'reported';
  };
  const report: ReconcileReport = {
    saleId,
    cause,
    checkedAt,
    tookMs: nowMs() - checkedAt,
    ok: repaired.size === all.length,
    inFlight: found.inFlight,
    found: all.length,
    repaired: repaired.size,
    counts,
    differences: all.slice(0, MAX_LISTED).map((one) => ({ ...one, outcome: outcome(one) })),
  };
  // Not only what was repaired here: a new loading of Redis, which is as Postgres is, ends a report's reason, too.
  const agreed = isRepairing ? await findAgreed(found.sale, await findReported(saleId)) : [];
  if (all.length > 0) log.warn({ ...report, differences: undefined }, 'reconciliation found differences');
  await transaction(async (tx) => {
    await keepReport(tx, report);
    await closeRepaired(tx, agreed);
    await options.alongside?.(tx, report);
  });
  return report;
}

const listed = ({ books, orders }: Look): Difference[] => [...books, ...orders.values()];
const isClean = (look: Look): boolean => look.books.length + look.orders.size === 0;

async function afterGrace(
  saleId: string,
  first: Look,
  { graceMs, signal }: { graceMs: number; signal: AbortSignal | undefined },
  tell: Tell,
): Promise<Look | null> {
  tell('waiting');
  await delay(graceMs, undefined, { signal });
  tell('again');
  const second = await lookAtSale(saleId, first);
  return second && lasting(first, second);
}

/** Repairs what it can and looks once more. @returns the differences that have gone. */
async function repair(
  saleId: string,
  found: Look,
  tell: Tell,
  kinds?: readonly DifferenceKind[],
): Promise<Set<Difference>> {
  const isMeant = ({ kind, repair: verb }: Difference) => verb !== null && (kinds?.includes(kind) ?? true);
  // Loading comes first: it takes in the state of Postgres, and the other repairs refuse to work on tiers that don't
  // add up.
  const meant = listed(found).filter(isMeant);
  for (const [at, difference] of meant.entries()) {
    tell('repairing', at, meant.length);
    try {
      await repairDifference(found.sale, difference);
    } catch (err) {
      log.error({ saleId, difference, err }, 'a difference could not be repaired');
    }
  }
  const after = await lookAtSale(saleId, found);
  if (!after) return new Set();
  const still = lasting(found, after);
  const isGone = ({ orderNo, kind }: Difference) =>
    orderNo === null ? !still.books.some((book) => book.kind === kind) : !still.orders.has(orderNo);
  return new Set(meant.filter(isGone));
}
