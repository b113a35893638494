import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { toSaleInfo } from '@/lib/sale/to-sale-info';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { readSettings } from '@/lib/stock/read-settings';

/**
 * Has Redis take a sale's settings as Postgres has them: window, pause, limits, or that it is closed. Under the lock of the
 * sale's row, which every change in the admin area holds until its commit, so what is told is what holds. A sale that Redis does
 * not hold under its epoch is left to whoever loads it.
 * @throws connection errors.
 */
export function syncSettings(saleId: string): Promise<void> {
  return transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
    const row = await tx.sale.findUnique({ where: { id: saleId }, include: { product: true } });
    if (!row || row.status === 'draft' || row.strategy === 'database' || row.stockMode !== 'redis') return;
    const { epoch, startsAt, endsAt, paused, limitPerUser, limits, reservation } = toSaleInfo(row);
    if (row.status === 'closed') {
      await closeStock({ saleId, epoch });
      return;
    }
    // What has ended stays ended: shoppers have been told so.
    if ((await readSettings(saleId))?.closed) return;
    await configureStock({
      saleId,
      epoch,
      startsAt,
      endsAt,
      paused,
      limit: limitPerUser,
      limits,
      requiresReservation: reservation !== null,
    });
  });
}
