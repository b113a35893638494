import 'server-only';
import { db } from '@/lib/db/client';

/**
 * When a unit of a sale was last taken, as far as Postgres knows, in epoch ms; 0 if none ever was. For telling Redis of
 * units that Postgres has counted before: while none is left, the sale sold out then. @throws connection errors.
 */
export async function findLastTaken(saleId: string): Promise<number> {
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { soldOutAt: true } });
  return sale?.soldOutAt?.getTime() ?? 0;
}
