import 'server-only';
import { db } from '@/lib/db/client';

/**
 * Returns when a unit of a sale was last taken, as far as Postgres knows, in epoch ms; 0 if none ever was. Needed to
 * tell Redis of units that Postgres has counted before: while none is left, this is when the sale sold out. @throws
 * connection errors.
 */
export async function findLastTaken(saleId: string): Promise<number> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { soldOutAt: true } });
  return sale?.soldOutAt?.getTime() ?? 0;
}
