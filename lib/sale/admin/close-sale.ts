import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { Db } from '@/lib/db/client';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { type ChangeResult, changeSale } from './change-sale';
import { closeStocks } from './close-stocks';

const setClosedAt = (tx: Db, saleId: string, closedAtMs: number) =>
  tx.sale.update({ where: { id: saleId }, data: { closedAt: new Date(closedAtMs) } });

/**
 * Ends a sale for good. Orders already accepted can still be paid. Closing a closed sale changes nothing but its version.
 * @throws StockNotLoadedError if Redis loses the sale just then, connection errors; nothing has changed.
 */
export async function closeSale(actor: Actor, saleId: string): Promise<ChangeResult> {
  await ensureStockLoaded(saleId);
  const result = await changeSale(actor, saleId, {
    action: 'sale.close',
    from: ['published', 'closed'],
    data: (sale) => (sale.status === 'closed' ? {} : { status: 'closed', closedAt: new Date() }),
    inRedis: async (sale, tx) => {
      // A rebuild can learn the moment that shoppers have seen only from Postgres.
      const endsAt = await closeStocks(sale);
      if (endsAt < sale.endsAt) await setClosedAt(tx, saleId, endsAt);
      return null;
    },
  });
  if (result.status === 'changed') await renewSalePages([result.sale.slug], result.sale.campaign?.slug);
  return result;
}
