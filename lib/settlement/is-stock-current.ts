import 'server-only';
import { db } from '@/lib/db/client';
import { stockOfBuyer } from '@/lib/slice/loadings';
import { probeStock } from '@/lib/stock/probe-stock';

/**
 * Tells whether Redis holds the stock of a buyer as Postgres had it loaded last. If not, for example because Redis came back as an
 * older copy, what it says about an order means nothing: it is loaded again with all that is committed by now.
 * @throws connection errors.
 */
export async function isStockCurrent({
  saleId,
  userId,
}: {
  saleId: string;
  userId: string;
}): Promise<boolean> {
  const select = { epoch: true, slices: true, sliceEpochs: true };
  const sale = await db().sale.findUnique({ where: { id: saleId }, select });
  if (!sale) return false;
  const { stockId, epoch } = stockOfBuyer({ saleId, ...sale }, userId);
  const probe = await probeStock(stockId);
  return probe.status === 'loaded' && probe.epoch === epoch;
}
