import 'server-only';
import { db } from '@/lib/db/client';

/** As many as are searched for a queued order; each costs a look at Redis. */
const MAX_SALES = 100;

/**
 * The published and closed sales whose window meets the span, with the loading that is valid; not those whose stock
 * lives in Postgres. For looking for a purchase of which only the moment is known.
 * @param span from/to in epoch ms, and the sale if that is known, too
 */
export function listSalesOpenAt(span: {
  from: number;
  to: number;
  saleId?: string;
}): Promise<{ id: string; epoch: number }[]> {
  const { from, to, saleId } = span;
  return db().sale.findMany({
    select: { id: true, epoch: true },
    where: {
      id: saleId,
      status: { not: 'draft' },
      strategy: { not: 'database' },
      startsAt: { lte: new Date(to) },
      endsAt: { gte: new Date(from) },
    },
    orderBy: { startsAt: 'desc' },
    take: MAX_SALES,
  });
}
