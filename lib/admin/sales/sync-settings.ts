import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { toSaleInfo } from '@/lib/sale/to-sale-info';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { readSettings } from '@/lib/stock/read-settings';

/**
 * Sends Redis a sale's settings as Postgres has them: window, pause, limits, or that it is closed. Locks the sale's
 * row, which every change in the admin area keeps locked until its commit, so these are the valid settings. If Redis
 * does not hold the sale under its epoch, the code that loads it sends the settings.
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
    // A sale that has ended is not reopened: shoppers were told that it is over.
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
