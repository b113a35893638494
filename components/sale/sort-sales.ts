import type { LiveSale } from '@/lib/contract/shapes/sale';
import type { SalePhase } from '@/lib/contract/words/sale';
import type { SaleListEntry } from './shown-sale';

const ORDER: Record<SalePhase, number> = { live: 0, paused: 0, scheduled: 1, sold_out: 2, ended: 3 };

/**
 * Sorts the sales: first those that are running (the latest first), then those to come, then those that are over.
 * Unknown ones keep their order.
 */
export function sortSales<Sale extends SaleListEntry>(
  sales: readonly Sale[],
  live: ReadonlyMap<string, LiveSale>,
): Sale[] {
  if (live.size === 0) return [...sales];
  const rank = (sale: Sale) => ORDER[live.get(sale.saleId)?.status ?? 'scheduled'];
  return [...sales].sort((a, b) => {
    const byRank = rank(a) - rank(b);
    if (byRank !== 0) return byRank;
    if (rank(a) === ORDER.scheduled) return a.startsAt - b.startsAt;
    return rank(a) === ORDER.live ? b.startsAt - a.startsAt : b.endsAt - a.endsAt;
  });
}
