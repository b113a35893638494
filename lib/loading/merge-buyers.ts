import type { StockTiers } from '@/lib/contract/shapes/sale';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { BuyerEntry } from '@/lib/stock/load-stock';
import type { BuyerRecord } from '@/lib/stock/types';
import { UNLIMITED } from '@/lib/stock/types';

/** A sale's units as Postgres has committed them, and how many of each variant are left. `total` −1 = unlimited. */
type Committed = { total: number; held: number; sold: number; variants?: readonly number[] };

/** Purchases on their way, as a rebuild takes them in: the buyers' records, and the tiers of the stock with them. */
type Admitted = { tiers: StockTiers; variants: number[]; byUser: Map<string, BuyerRecord[]> };

/**
 * Gives the purchases on their way their units again, in the given order, on top of what Postgres has committed. A
 * purchase that no longer fits is remembered as released: its token still gets its first answer, and Postgres decides
 * whether it becomes an order. Pure.
 */
export function admitInFlight(
  { total, held, sold, variants: free = [] }: Committed,
  orders: readonly AcceptedOrder[],
): Admitted {
  const variants = [...free];
  const isUnlimited = total === UNLIMITED;
  let available = isUnlimited ? Number.POSITIVE_INFINITY : total - held - sold;
  let taken = 0;
  const byUser = new Map<string, BuyerRecord[]>();
  for (const { userId, epoch: _epoch, acceptedAt: _acceptedAt, ...bought } of orders) {
    const { quantity, variant = 0 } = bought;
    const left = variants.length > 0 ? (variants[variant - 1] ?? 0) : available;
    const fits = quantity <= left;
    if (fits) {
      if (variants.length > 0) variants[variant - 1] = left - quantity;
      available -= quantity;
      taken += quantity;
    }
    const records = byUser.get(userId) ?? [];
    records.push({ ...bought, state: fits ? 'held' : 'released' });
    byUser.set(userId, records);
  }
  const tiers = { total, available: isUnlimited ? UNLIMITED : available, held: held + taken, sold };
  return { tiers, variants, byUser };
}

/**
 * Merges the buyers' written orders with the purchases on their way; each user and each order comes once. If an order
 * was given up after it was found on its way, the tiers already count its units. So it stays held, and reconciliation
 * sees that it has ended.
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
