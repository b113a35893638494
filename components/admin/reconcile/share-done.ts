import type { ReconcileProgress } from '@/lib/contract/shapes/reconcile';
import type { ReconcileStage } from '@/lib/contract/words/reconcile';

/** The share of the progress at which each stage begins and ends. In a large sale reading takes nearly all of the time. */
const SPANS: Record<ReconcileStage, readonly [number, number]> = {
  purchases: [0, 0.4],
  orders: [0.4, 0.8],
  waiting: [0.8, 0.85],
  again: [0.85, 0.9],
  repairing: [0.9, 1],
};

/** Estimates how much of a reconciliation is done, from 0 to 1. */
export function shareDone({ stage, done, total }: ReconcileProgress): number {
  const [from, to] = SPANS[stage];
  return from + (to - from) * (total > 0 ? Math.min(1, done / total) : 0);
}
