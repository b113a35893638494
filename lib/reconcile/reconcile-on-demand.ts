import 'server-only';
import { type Actor, maySee, mayWorkOn, withoutSession } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import type { ReconcileReport, Reconciliation } from '@/lib/contract/shapes/reconcile';
import type { DifferenceKind } from '@/lib/contract/words/reconcile';
import { type Db, db } from '@/lib/db/client';
import { readLastReport } from './keep-report';
import { readProgress } from './progress';
import { type ReconcileResult, reconcileSale } from './reconcile-sale';

const GRACE_MS = 2_000;
const WAIT_MS = 10_000;

/**
 * Reconciles a sale now, for a person who waits for the result. @param kinds the kinds to repair; every safe one if
 * left out. @returns `not_found` also for another merchant's sale.
 */
export async function reconcileOnDemand(
  actor: Actor,
  saleId: string,
  isRepairing: boolean,
  kinds?: readonly DifferenceKind[],
): Promise<ReconcileResult | { status: 'not_found' }> {
  if (!(await mayWorkOn(actor, saleId))) return { status: 'not_found' };
  const alongside = (tx: Db, report: ReconcileReport) => recordRepairs(tx, actor, report);
  return reconcileSale(saleId, {
    cause: 'demand',
    isRepairing,
    kinds,
    graceMs: GRACE_MS,
    waitMs: WAIT_MS,
    ...(isRepairing ? { alongside } : {}),
  });
}

/** Returns the last report of a sale, and the progress of the next one. @returns null also for another merchant's sale. */
export async function readReconciliation(actor: Actor, saleId: string): Promise<Reconciliation | null> {
  if (!(await isVisible(actor, saleId))) return null;
  const [report, progress] = await Promise.all([readLastReport(saleId), readProgress(saleId)]);
  return { report, progress };
}

/** Tells whether the sale exists and the actor may see it. */
export async function isVisible(actor: Actor, saleId: string): Promise<boolean> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { merchantId: true } });
  return sale !== null && maySee(actor, sale.merchantId);
}

/** Recorded even if there was nothing to repair, because a person asked for it. What Redis has repaired stays. */
const recordRepairs = (tx: Db, actor: Actor, { saleId, found, repaired, counts }: ReconcileReport) =>
  recordAction(tx, withoutSession(actor), {
    action: 'sale.repair',
    subject: { kind: 'sale', id: saleId },
    before: { differences: found, ...counts },
    after: { differences: found - repaired },
  });
