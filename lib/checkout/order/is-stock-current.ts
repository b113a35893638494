import 'server-only';
import { db } from '@/lib/db/client';
import { probeStock } from '@/lib/stock/probe-stock';

/**
 * Tells whether Redis holds the sale as Postgres had it loaded last. If not, for example because Redis came back as an
 * older copy, what it says about an order means nothing: it is loaded again with all that is committed by now.
 * @throws connection errors.
 */
export async function isStockCurrent(saleId: string): Promise<boolean> {
  const probe = await probeStock(saleId);
  const sale = await db().sale.findUnique({ where: { id: saleId }, select: { epoch: true } });
  return probe.status === 'loaded' && probe.epoch === sale?.epoch;
}
