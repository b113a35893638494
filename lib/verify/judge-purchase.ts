import type { Statement } from '@/lib/contract/shapes/live';
import type { InvariantId } from '@/lib/contract/words/invariants';
import type { SentenceCode } from '@/lib/contract/words/sentences';
import { isSameWish } from '@/lib/stock/bought';
import type { BuyerRecord, HoldState } from '@/lib/stock/types';
import type { OrderAccount, OrderStatus, Whereabouts } from './types';

/** The judgement on one purchase: nothing wrong, on its way, or the invariant it breaks. */
export type Verdict =
  | { status: 'fine' }
  | { status: 'in_flight' }
  | { status: 'broken'; invariant: InvariantId; problem: Statement };

const FINE: Verdict = { status: 'fine' };
const IN_FLIGHT: Verdict = { status: 'in_flight' };
const broken = (invariant: InvariantId, code: SentenceCode, values: Statement['values']): Verdict => ({
  status: 'broken',
  invariant,
  problem: { code, values },
});

/**
 * States of the hold that fit an order: once it is settled, and while its outcome is still on its way to Redis.
 * Postgres gets the outcome first, so an unsettled order may meet the hold before or after its change.
 */
const FITTING: Record<OrderStatus, { settled: HoldState[]; unsettled: HoldState[] }> = {
  pending_payment: { settled: ['held'], unsettled: ['held'] },
  paid: { settled: ['sold'], unsettled: ['held', 'sold'] },
  cancelled: { settled: ['released'], unsettled: ['held', 'released'] },
  failed: { settled: ['released'], unsettled: ['held', 'released'] },
  refunded: { settled: ['released'], unsettled: ['held', 'sold', 'released'] },
};

/**
 * For how long nothing is said of a purchase that an executor has which we can't search. Five attempts take about four
 * minutes. While a server refuses the order, the purchase only waits; nothing here tells that from a loss, so the finding
 * says that it may wait.
 */
const REMOTE_EXECUTOR_GRACE_MS = 15 * 60_000;

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

/** Tells whether an order has the units, variant and token of a purchase. */
export const isSamePurchase = (
  purchase: BuyerRecord,
  { units: quantity, variant, jti }: OrderAccount,
): boolean => isSameWish(purchase, { quantity, variant }) && purchase.jti === jti;

function judgeOrder(order: OrderAccount, { purchase, userId, orderNo, epoch }: Evidence): Verdict {
  if (order.userId !== userId) {
    return broken(5, 'other_buyer', { orderNo, userId: order.userId, buyerId: userId });
  }
  if (!purchase) {
    const hasEnded = ['cancelled', 'failed', 'refunded'].includes(order.status);
    if (hasEnded && order.epoch < epoch) return FINE;
    return broken(5, 'no_purchase', { orderNo });
  }
  if (!isSamePurchase(purchase, order)) {
    return broken(5, 'other_purchase', { orderNo });
  }
  const fitting = FITTING[order.status][order.settled ? 'settled' : 'unsettled'];
  if (fitting.includes(purchase.state)) return FINE;
  return broken(3, 'other_state', {
    orderNo,
    order: order.status,
    units: purchase.quantity,
    state: purchase.state,
  });
}

function judgeUnwritten(purchase: BuyerRecord, evidence: Evidence): Verdict {
  const { orderNo, whereabouts, isExecutorRemote } = evidence;
  if (purchase.state === 'sold') return broken(5, 'sold_without_order', { orderNo });
  switch (whereabouts.place) {
    case 'outbox':
    case 'executor':
      return IN_FLIGHT;
    case 'dead_letter':
      if (purchase.state === 'released') return FINE;
      return whereabouts.released ? broken(3, 'still_held', { orderNo }) : IN_FLIGHT;
    case 'nowhere':
      if (purchase.state === 'released') {
        return broken(5, 'released_without_order', { orderNo });
      }
      if (isExecutorRemote && whereabouts.acceptedAgoMs < REMOTE_EXECUTOR_GRACE_MS) return IN_FLIGHT;
      return isExecutorRemote
        ? broken(6, 'nowhere_here', {
            orderNo,
            userId: evidence.userId,
            minutes: Math.floor(whereabouts.acceptedAgoMs / 60_000),
          })
        : broken(6, 'nowhere', { orderNo, userId: evidence.userId });
  }
}
