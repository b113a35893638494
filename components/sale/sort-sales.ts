import type { LiveSaleListEntry, SaleListEntry, SaleStatus } from '@/components/api/types';

const ORDER: Record<SaleStatus, number> = { live: 0, paused: 0, scheduled: 1, sold_out: 2, ended: 3 };

/** What can be bought first, then what comes next, then what is over (the latest first). Unknown ones keep their order. */
export function sortSales<Sale extends SaleListEntry>(
  sales: readonly Sale[],
  live: ReadonlyMap<string, LiveSaleListEntry>,
): Sale[] {
  if (live.size === 0) return [...sales];
  const rank = (sale: Sale) => ORDER[live.get(sale.saleId)?.status ?? 'scheduled'];
  return [...sales].sort((a, b) => {
    const byRank = rank(a) - rank(b);
    if (byRank !== 0) return byRank;
    return rank(a) >= ORDER.sold_out ? b.endsAt - a.endsAt : a.startsAt - b.startsAt;
  });
}
