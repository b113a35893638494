import { keys } from '@/lib/redis/keys';
import type { World } from '../world';
import type { Violate } from './violate';

/** Checks a split sale at rest: each slice has what Postgres lets it sell, and no units are on their way. */
export function checkSplit({ splitWatches, redis, postgres, stock }: World, violate: Violate): void {
  const parcels = postgres.parcels.find(null, () => true);
  if (parcels.length > 0) violate('rest', `${parcels.length} parcels are on their way`);
  for (const watch of splitWatches)
    for (const [slice, stockId] of watch.stocks.entries()) {
      const sent = Number(redis.hash(keys.sale(stockId))?.get('sent') ?? 0);
      if (sent > 0) violate('rest', `${sent} units have left slice ${slice}`);
      const { total, available, held, sold } = stock.tiers(stockId);
      const row = postgres.slices.get(null, `${watch.saleId} ${slice}`);
      if (total !== row?.total) violate(2, `slice ${slice} has ${total} units, Postgres says ${row?.total}`);
      if (available + held + sold !== total || Math.min(available, held, sold) < 0)
        violate(1, `slice ${slice}: available ${available} + held ${held} + sold ${sold} ≠ total ${total}`);
    }
}
