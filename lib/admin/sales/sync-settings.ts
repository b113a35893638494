import 'server-only';
import { loadingsOf } from '@/lib/checkout/slices/loadings';
import { sliceLimits } from '@/lib/checkout/slices/slice-limits';
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
    const sale = toSaleInfo(row);
    const { startsAt, endsAt, paused, limitPerUser, reservation } = sale;
    for (const stock of loadingsOf(sale)) {
      if (row.status === 'closed') {
        await closeStock(stock);
        continue;
      }
      // A sale that has ended is not reopened: shoppers were told that it is over.
      if ((await readSettings(stock.saleId))?.closed) continue;
      await configureStock({
        ...stock,
        startsAt,
        endsAt,
        paused,
        limit: limitPerUser,
        limits: sliceLimits(sale.limits, sale.slices),
        requiresReservation: reservation !== null,
        ...(row.waitlist ? { isWaitlistOpen: !row.waitlistClosed } : {}),
      });
    }
  });
}
