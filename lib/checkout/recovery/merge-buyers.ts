import type { StockTiers } from '@/lib/contract/shapes/sale';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { BuyerEntry } from '@/lib/stock/load-stock';
import type { BuyerRecord } from '@/lib/stock/types';
import { UNLIMITED } from '@/lib/stock/types';

/** What Postgres has committed of a sale. `total` −1 = unlimited. */
export type Committed = { total: number; held: number; sold: number };

/** Purchases on their way, as a rebuild takes them in: what they hold, and what stays available. */
type Admitted = { tiers: StockTiers; byUser: Map<string, BuyerRecord[]> };

/**
 * Gives the purchases on their way their units again, in the order given, on top of what Postgres has committed. One that
 * does not fit any more is remembered as released: its token still gets its first answer, and whether it becomes an order
 * Postgres decides. Pure.
 */
export function admitInFlight({ total, held, sold }: Committed, orders: readonly AcceptedOrder[]): Admitted {
  const isUnlimited = total === UNLIMITED;
  let available = isUnlimited ? Number.POSITIVE_INFINITY : total - held - sold;
  let taken = 0;
  const byUser = new Map<string, BuyerRecord[]>();
  for (const { userId, jti, orderNo, quantity } of orders) {
    const fits = quantity <= available;
    if (fits) {
      available -= quantity;
      taken += quantity;
    }
    const records = byUser.get(userId) ?? [];
    records.push({ jti, orderNo, units: quantity, state: fits ? 'held' : 'released' });
    byUser.set(userId, records);
  }
  const tiers = { total, available: isUnlimited ? UNLIMITED : available, held: held + taken, sold };
  return { tiers, byUser };
}

/**
 * The buyers with their written orders, completed by the purchases on their way; each user and each order once. One that was
 * given up after it had been found on its way has its units in the tiers already: it is held, and reconciliation sees that it
 * has ended.
 */
export async function* mergeBuyers(
  written: AsyncIterable<BuyerEntry>,
  inFlight: ReadonlyMap<string, readonly BuyerRecord[]>,
): AsyncGenerator<BuyerEntry> {
  const rest = new Map(inFlight);
  for await (const { userId, records } of written) {
    const more = rest.get(userId) ?? [];
    const isOnItsWay = new Set(more.map(({ orderNo }) => orderNo));
    yield { userId, records: [...records.filter(({ orderNo }) => !isOnItsWay.has(orderNo)), ...more] };
    rest.delete(userId);
  }
  for (const [userId, records] of rest) yield { userId, records };
}
