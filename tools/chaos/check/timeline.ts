import type { MerchantEntry } from '../load/ledger';
import type { OrderRow } from './types';

type Span = { orderNo: string; units: number; from: number; to: number };

/**
 * Returns from when until when an order took units away from others, in epoch ms. An order paid after its deadline
 * may have been cancelled in between, so it counts from its payment. Failed orders do not count: they never had the
 * units.
 */
export function spanOf({
  orderNo,
  quantity,
  status,
  acceptedAt,
  payBy,
  paidAt,
  cancelledAt,
}: OrderRow): Span {
  const units = status === 'failed' ? 0 : quantity;
  const from = paidAt !== null && paidAt > payBy ? paidAt : acceptedAt;
  return { orderNo, units, from, to: cancelledAt ?? Number.POSITIVE_INFINITY };
}

/**
 * Finds the first moment at which the spans together have more than `allowed(at)` units; null if there is none. If
 * one span ends in the millisecond in which another begins, the end comes first.
 */
export function firstExcess(
  spans: readonly Span[],
  allowed: (at: number) => number,
): { at: number; units: number; orderNo: string } | null {
  const changes = spans
    .filter(({ units, from, to }) => units > 0 && from < to)
    .flatMap(({ orderNo, units, from, to }) => [
      { at: from, units, orderNo },
      { at: to, units: -units, orderNo },
    ])
    .sort((a, b) => (a.at === b.at ? a.units - b.units : a.at - b.at));
  let taken = 0;
  for (const { at, units, orderNo } of changes) {
    taken += units;
    if (units > 0 && taken > allowed(at)) return { at, units: taken, orderNo };
  }
  return null;
}

/**
 * Returns the most units that may have existed at a moment. Units that the merchant adds count from the request on.
 * Units taken away stop counting only when the shop confirms it.
 */
export function mostUnits(stock: number, acts: readonly MerchantEntry[]): (at: number) => number {
  return (at) =>
    acts.reduce((total, { act, delta, result, askedAt, answeredAt }) => {
      if (act !== 'restock' || result === 'refused') return total;
      if (delta > 0) return at >= askedAt ? total + delta : total;
      return result === 'done' && at >= answeredAt ? total + delta : total;
    }, stock);
}
