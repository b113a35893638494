import 'server-only';
import { SALE_STRATEGIES, type SaleStrategy, STRATEGIES } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';

/** The most sales in which a queued order is searched for; each costs a query to Redis. */
const MAX_SALES = 100;
const IN_POSTGRES = SALE_STRATEGIES.filter((strategy) => STRATEGIES[strategy].stock === 'postgres');

/**
 * Lists the published and closed sales whose window overlaps the span, with their valid epoch, except those whose
 * stock always lives in Postgres. For finding a purchase of which only the moment is known.
 * @param span from/to in epoch ms, and the sale if that is known, too
 */
export async function listSalesOpenAt(span: {
  from: number;
  to: number;
  saleId?: string;
}): Promise<{ id: string; epoch: number; slices: number; sliceEpochs: number[]; strategy: SaleStrategy }[]> {
  const { from, to, saleId } = span;
  const rows = await db().sale.findMany({
    select: { id: true, epoch: true, slices: true, sliceEpochs: true, strategy: true },
    where: {
      id: saleId,
      status: { not: 'draft' },
      strategy: { notIn: IN_POSTGRES },
      startsAt: { lte: new Date(to) },
      endsAt: { gte: new Date(from) },
    },
    orderBy: { startsAt: 'desc' },
    take: MAX_SALES,
  });
  return rows.map((row) => ({ ...row, strategy: row.strategy as SaleStrategy }));
}
