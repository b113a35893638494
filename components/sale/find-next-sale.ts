import type { LiveSale } from '@/lib/contract/shapes/sale';
import type { SaleListEntry } from './shown-sale';

/** What starts later than this is no lead beside sales that run. */
const SOON_MS = 7 * 86_400_000;

/**
 * Finds the sale that starts next, for the top of the list; none if that is weeks away and another sale runs.
 * @param live what shoppers see of each sale; one that is missing goes by its planned start
 * @param now epoch ms
 */
export function findNextSale<Sale extends Pick<SaleListEntry, 'saleId' | 'startsAt'>>(
  sales: readonly Sale[],
  live: ReadonlyMap<string, Pick<LiveSale, 'status'>>,
  now: number,
): Sale | null {
  const ahead = sales.filter(
    ({ saleId, startsAt }) => startsAt > now && (live.get(saleId)?.status ?? 'scheduled') === 'scheduled',
  );
  const next = ahead.reduce<Sale | null>(
    (first, sale) => (first && first.startsAt <= sale.startsAt ? first : sale),
    null,
  );
  const hasLive = [...live.values()].some(({ status }) => status === 'live');
  return next && hasLive && next.startsAt - now > SOON_MS ? null : next;
}
