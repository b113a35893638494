import type { BuyerRecord, HoldState } from '@/lib/stock/types';
import type { InvariantId, OrderAccount, OrderStatus, Whereabouts } from './types';

/** What is to be thought of one purchase: nothing wrong, on its way, or which invariant it breaks. */
export type Verdict =
  | { status: 'fine' }
  | { status: 'in_flight' }
  | { status: 'broken'; invariant: InvariantId; problem: string };

const FINE: Verdict = { status: 'fine' };
const IN_FLIGHT: Verdict = { status: 'in_flight' };
const broken = (invariant: InvariantId, problem: string): Verdict => ({
  status: 'broken',
  invariant,
  problem,
});

/**
 * States of the hold that fit an order: once settled, and while its outcome is still on its way to Redis. The outcome
 * is written to Postgres first, so an unsettled order may meet the hold before or after its change.
 */
const FITTING: Record<OrderStatus, { settled: HoldState[]; unsettled: HoldState[] }> = {
  pending_payment: { settled: ['held'], unsettled: ['held'] },
  paid: { settled: ['sold'], unsettled: ['held', 'sold'] },
  cancelled: { settled: ['released'], unsettled: ['held', 'released'] },
  failed: { settled: ['released'], unsettled: ['held', 'released'] },
  refunded: { settled: ['released'], unsettled: ['held', 'sold', 'released'] },
};

/** How long an executor that isn't ours to look into may keep a purchase: its five attempts take about four minutes. */
export const REMOTE_EXECUTOR_GRACE_MS = 15 * 60_000;

export type Evidence = {
  orderNo: string;
  userId: string;
  purchase: BuyerRecord | undefined;
  order: OrderAccount | undefined;
  whereabouts: Whereabouts;
  /** The sale's current epoch: orders that ended under an earlier one left no buyer record. */
  epoch: number;
  isExecutorRemote: boolean;
};

/** Judges one order number by what Redis and Postgres say about it. Pure; all times in ms. */
export function judgePurchase(evidence: Evidence): Verdict {
  if (evidence.order) return judgeOrder(evidence.order, evidence);
  if (!evidence.purchase) return FINE;
  return judgeUnwritten(evidence.purchase, evidence);
}

function judgeOrder(order: OrderAccount, { purchase, userId, orderNo, epoch }: Evidence): Verdict {
  if (order.userId !== userId) {
    return broken(5, `order ${orderNo} belongs to ${order.userId}, but ${userId} made the purchase`);
  }
  if (!purchase) {
    const hasEnded = ['cancelled', 'failed', 'refunded'].includes(order.status);
    if (hasEnded && order.epoch < epoch) return FINE;
    return broken(5, `order ${orderNo} has no accepted purchase`);
  }
  if (purchase.units !== order.units || purchase.jti !== order.jti) {
    return broken(5, `order ${orderNo} is not the purchase that was accepted (units or token differ)`);
  }
  const fitting = FITTING[order.status][order.settled ? 'settled' : 'unsettled'];
  if (fitting.includes(purchase.state)) return FINE;
  return broken(
    3,
    `order ${orderNo} is ${order.status} but its ${purchase.units} units are ${purchase.state}`,
  );
}

function judgeUnwritten(purchase: BuyerRecord, evidence: Evidence): Verdict {
  const { orderNo, whereabouts, isExecutorRemote } = evidence;
  if (purchase.state === 'sold') return broken(5, `purchase ${orderNo} is sold without an order`);
  switch (whereabouts.place) {
    case 'outbox':
    case 'executor':
      return IN_FLIGHT;
    case 'dead_letter':
      if (purchase.state === 'released') return FINE;
      return whereabouts.released
        ? broken(3, `dead letter ${orderNo} is recorded as released but its units are still held`)
        : IN_FLIGHT;
    case 'nowhere':
      if (purchase.state === 'released') {
        return broken(5, `purchase ${orderNo} was released without an order or a recorded compensation`);
      }
      if (isExecutorRemote && whereabouts.acceptedAgoMs < REMOTE_EXECUTOR_GRACE_MS) return IN_FLIGHT;
      return broken(6, `accepted purchase ${orderNo} of ${evidence.userId} is nowhere`);
  }
}
