import type { Purchase, PurchaseResult } from './purchase-stock';
import { type BuyerRecord, type Stock, UNLIMITED } from './types';

/** The most purchases of one user that a record holds. The purchase script has the same limit. */
export const MAX_PURCHASES = 20;

/** Everything that decides a purchase, as of one moment: the sale, and this user's purchases in it, oldest first. */
export type Situation = Pick<
  Stock,
  'serverTime' | 'startsAt' | 'endsAt' | 'limit' | 'closed' | 'paused' | 'gate' | 'total' | 'available'
> & {
  records: readonly BuyerRecord[];
  /** True if the sale is only for users with a reservation, and this user has none. */
  lacksReservation: boolean;
  /** True while somebody waits for units: nobody else gets one. */
  isAwaited?: boolean;
};

/** `fits`: there is no reason to refuse the purchase. */
export type Decision =
  | { status: 'fits' }
  | Exclude<
      PurchaseResult,
      {
        status:
          | 'accepted'
          | 'unknown_sale'
          | 'stale_epoch'
          | 'busy'
          | 'rate_limited'
          | 'undecided'
          | 'backlogged';
      }
    >;

/**
 * Decides a purchase with the same checks in the same order as the purchase script. For strategies that decide
 * outside Redis. It is pure; a test compares the two.
 */
export function decidePurchase(
  situation: Situation,
  { jti, gate, quantity }: Pick<Purchase, 'jti' | 'gate' | 'quantity'>,
): Decision {
  const { records, serverTime, limit, total, available } = situation;
  const first = records.find((record) => record.jti === jti);
  if (first) return { status: 'replayed', orderNo: first.orderNo, quantity: first.quantity };
  if (situation.closed || serverTime >= situation.endsAt) return { status: 'ended' };
  if (serverTime < situation.startsAt) return { status: 'not_started' };
  if (situation.paused) return { status: 'paused' };
  if (gate !== situation.gate) return { status: 'gate_invalid' };
  if (situation.lacksReservation) return { status: 'not_reserved' };

  const live = records.filter(({ state }) => state !== 'released');
  const liveUnits = live.reduce((sum, bought) => sum + bought.quantity, 0);
  const latest = live.at(-1);
  if (latest && liveUnits >= limit) return { status: 'already_bought', orderNo: latest.orderNo };
  if (liveUnits + quantity > limit || records.length >= MAX_PURCHASES) return { status: 'over_limit' };
  if (total !== UNLIMITED && situation.isAwaited) return { status: 'sold_out', available: 0 };
  if (total !== UNLIMITED && available < quantity) return { status: 'sold_out', available };
  return { status: 'fits' };
}
