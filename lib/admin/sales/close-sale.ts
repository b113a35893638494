import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/recovery/ensure-stock-loaded';
import { loadingsOf } from '@/lib/checkout/slices/loadings';
import type { Db } from '@/lib/db/client';
import { closeStock } from '@/lib/stock/close-stock';
import { StockNotLoadedError } from '@/lib/stock/stock-not-loaded-error';
import type { Actor } from '../actor';
import { renewSalePages } from '../pages/renew-sale-pages';
import { type ChangeResult, changeSale } from './change-sale';

const setClosedAt = (tx: Db, saleId: string, closedAtMs: number) =>
  tx.sale.update({ where: { id: saleId }, data: { closedAt: new Date(closedAtMs) } });

/**
 * Ends a sale for good. Orders already accepted can still be paid. Closing a closed sale changes nothing.
 * @throws StockNotLoadedError if Redis loses the sale just then, connection errors; nothing has changed.
 */
export async function closeSale(actor: Actor, saleId: string): Promise<ChangeResult> {
  await ensureStockLoaded(saleId);
  const result = await changeSale(actor, saleId, {
    action: 'sale.close',
    from: ['published', 'closed'],
    data: (sale) => (sale.status === 'closed' ? {} : { status: 'closed', closedAt: new Date() }),
    inRedis: async (sale, tx) => {
      const { endsAt } = sale;
      const closed = { endsAt: 0 };
      for (const stock of loadingsOf(sale)) {
        const reply = await closeStock(stock);
        if (reply.status !== 'closed' && reply.status !== 'already_closed')
          throw new StockNotLoadedError(`${stock.saleId} under epoch ${stock.epoch}: ${reply.status}`);
        closed.endsAt = Math.max(closed.endsAt, reply.endsAt);
      }
      // Stores the moment that Redis decided: shoppers have seen it, and a rebuild can learn it only from Postgres.
      if (closed.endsAt < endsAt) await setClosedAt(tx, saleId, closed.endsAt);
      return null;
    },
  });
  if (result.status === 'changed') await renewSalePages([result.sale.slug], result.sale.campaign?.slug);
  return result;
}
