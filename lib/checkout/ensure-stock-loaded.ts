import 'server-only';
import { db } from '@/lib/db/client';
import { loadDurationMs } from '@/lib/db/transaction-limits';
import { liveBuyers } from '@/lib/order/live-buyers';
import { openSale } from '@/lib/outbox/open-sales';
import { forgetSaleInfo } from '@/lib/sale/find-sale-info';
import { loadStock } from '@/lib/stock/load-stock';
import { readStock } from '@/lib/stock/read-stock';

export type EnsureResult = { status: 'warm' | 'loaded' | 'not_published' };

/**
 * Warms up a published or closed sale: if Redis does not hold it under the epoch Postgres knows, loads it from Postgres
 * under the next one, with the buyers of its live orders. Called when a sale is published and whenever a request finds
 * the stock missing, so that starting without a warm-up heals itself.
 *
 * The sale's row is locked meanwhile: however many processes notice at once, one rebuilds and the rest find it done.
 * @throws connection errors; nothing has changed then, or the load is repeated under a higher epoch.
 */
export async function ensureStockLoaded(saleId: string): Promise<EnsureResult> {
  const result = await db().$transaction(
    async (tx): Promise<EnsureResult> => {
      await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR UPDATE`;
      const sale = await tx.sale.findUnique({ where: { id: saleId } });
      if (!sale || sale.status === 'draft') return { status: 'not_published' };

      const stock = await readStock(saleId);
      if (stock !== null && sale.epoch > 0 && stock.epoch === sale.epoch) return { status: 'warm' };

      const epoch = Math.max(sale.epoch, stock?.epoch ?? 0) + 1;
      await tx.sale.update({ where: { id: saleId }, data: { epoch } });
      const isUnlimited = sale.totalStock === -1;
      await loadStock({
        saleId,
        epoch,
        startsAt: sale.startsAt.getTime(),
        endsAt: sale.endsAt.getTime(),
        paused: sale.paused,
        closed: sale.status === 'closed',
        gate: sale.gate,
        limit: sale.limitPerUser,
        total: sale.totalStock,
        available: isUnlimited ? -1 : sale.totalStock - sale.heldStock - sale.soldStock,
        held: sale.heldStock,
        sold: sale.soldStock,
        buyers: liveBuyers(tx, saleId),
      });
      await openSale(saleId);
      return { status: 'loaded' };
    },
    { timeout: loadDurationMs, maxWait: loadDurationMs },
  );
  if (result.status === 'loaded') await forgetSaleInfo(saleId);
  return result;
}
