import type { OrderStatus } from '@/lib/contract/words/order';

export type StepState = 'complete' | 'current' | 'pending' | 'stopped';
type StepName = 'stepBought' | 'stepWritten' | 'stepPaid' | 'stepDone';

const NAMES: readonly StepName[] = ['stepBought', 'stepWritten', 'stepPaid', 'stepDone'];

/** How many steps are complete, and whether the next step is under way or will never come. */
const PROGRESS: Record<OrderStatus, { complete: number; next: StepState }> = {
  undecided: { complete: 0, next: 'current' },
  queued: { complete: 1, next: 'current' },
  pending_payment: { complete: 2, next: 'current' },
  paid: { complete: 4, next: 'pending' },
  refunded: { complete: 3, next: 'stopped' },
  cancelled: { complete: 2, next: 'stopped' },
  failed: { complete: 1, next: 'stopped' },
};

/** Returns the order's progress as four steps: bought, order written, paid, done. */
export function orderSteps(status: OrderStatus): ReadonlyArray<{ name: StepName; state: StepState }> {
  const { complete, next } = PROGRESS[status];
  return NAMES.map((name, index) => {
    if (index < complete) return { name, state: 'complete' };
    return { name, state: index === complete ? next : 'pending' };
  });
}
