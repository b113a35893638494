import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { type ChangeResult, changeSale } from '@/lib/sale/admin/change-sale';
import { configureStock } from '@/lib/stock/configure-stock';
import { readStock } from '@/lib/stock/read-stock';
import { restock } from '@/lib/stock/restock';
import { UNLIMITED } from '@/lib/stock/types';
import { DEMO_ENTRY_LEAD_MS } from './catalog';
import { piecesFor } from './pieces-for';

type Restart = {
  saleId: string;
  startsAt: number;
  endsAt: number;
  /** The new reservation window; left out: it stays. Earlier reservations still count. */
  reservation?: { opensAt: number; closesAt: number };
  /** How many pieces the catalogue gives the sale; left out: the stock stays. */
  pieces?: number;
};

/**
 * Gives a published sale that is over a new window and the number of pieces from `piecesFor`. The stock goes on, so
 * limits, orders and payments of the earlier window stay as they are. Of several processes that try at once, one
 * succeeds.
 */
export async function restartSale(
  actor: Actor,
  { saleId, startsAt, endsAt, reservation, pieces }: Restart,
): Promise<ChangeResult<{ status: 'not_over' }>> {
  await ensureStockLoaded(saleId);
  const stock = await readStock(saleId);
  if (!stock) return { status: 'not_found' };
  const keepsStock = pieces === undefined || stock.total === UNLIMITED;
  // Never below the units that are held or sold.
  const total = keepsStock ? stock.total : Math.max(piecesFor(pieces, stock.sold), stock.held + stock.sold);
  const delta = total - stock.total;

  const result = await changeSale<{ status: 'not_over' }>(actor, saleId, {
    action: null,
    from: ['published'],
    refuse: (row) => (row.endsAt.getTime() > nowMs() ? { status: 'not_over' } : null),
    data: () => ({
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      entryOpensAt: new Date(startsAt - DEMO_ENTRY_LEAD_MS),
      reservationOpensAt: reservation && new Date(reservation.opensAt),
      reservationClosesAt: reservation && new Date(reservation.closesAt),
      // Sets the total instead of adding to it: if an earlier attempt reached Redis only, this makes the two equal
      // again.
      totalStock: total,
    }),
    inRedis: async ({ epoch }) => {
      if (delta !== 0) {
        const { status } = await restock({ saleId, epoch, delta, requestId: `restart_${startsAt}` });
        if (status !== 'restocked') throw new Error(`filling up ${saleId} under epoch ${epoch}: ${status}`);
      }
      const { status } = await configureStock({ saleId, epoch, startsAt, endsAt });
      if (status !== 'configured') throw new Error(`restarting ${saleId} under epoch ${epoch}: ${status}`);
      return null;
    },
  });
  if (result.status !== 'changed') return result;
  // The relay stops reading the outbox of a sale that is over and settled.
  await stockRedis().sadd(keys.openSales(), saleId);
  await renewSalePages([result.sale.slug], result.sale.campaign?.slug);
  return result;
}
