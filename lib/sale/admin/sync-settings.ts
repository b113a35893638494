import 'server-only';
import { changedFields } from '@/lib/audit/changed-fields';
import { recordAction } from '@/lib/audit/record-action';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { Db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import { isInDatabase } from '@/lib/sale/records/is-in-database';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { loadingsOf } from '@/lib/slice/loadings';
import { sliceLimits } from '@/lib/slice/slice-limits';
import { closeStock } from '@/lib/stock/close-stock';
import { configureStock } from '@/lib/stock/configure-stock';
import { readSettings } from '@/lib/stock/read-settings';
import { closeStocks } from './close-stocks';
import { recordedSale } from './recorded-sale';

/** The merchant asked for it, but who that was is lost with their transaction. */
const SYSTEM = { userId: 'system', role: 'system' };

/**
 * Sends Redis a sale's settings as Postgres has them: window, pause, limits, or that it is closed. Changes in the admin
 * area lock the row until their commit, so these are valid. A sale closed in Redis alone is closed in Postgres too:
 * shoppers were told that it is over. A sale not loaded gets its settings later.
 * @throws StockNotLoadedError if Redis loses a sale that it has closed just then; connection errors.
 */
export async function syncSettings(saleId: string): Promise<void> {
  const closed = await transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM sales WHERE id = ${saleId} FOR NO KEY UPDATE`;
    const row = await tx.sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
    if (!row || row.status === 'draft' || isInDatabase(row)) return null;
    const sale = toSaleInfo(row);
    if (sale.status === 'closed') for (const stock of loadingsOf(sale)) await closeStock(stock);
    else if (await isClosedInRedis(sale)) return finishClosing(tx, sale);
    else await configure(sale, row.waitlist ? !row.waitlistClosed : undefined);
    return null;
  });
  if (!closed) return;
  await forgetSaleInfo(saleId);
  await renewSalePages([closed.slug], closed.campaign?.slug);
}

async function isClosedInRedis(sale: SaleInfo): Promise<boolean> {
  for (const { saleId, epoch } of loadingsOf(sale)) {
    const held = await readSettings(saleId);
    if (held?.closed && held.epoch === epoch) return true;
  }
  return false;
}

/** Closes in Postgres, and in its other slices, what a process closed in Redis before it died. */
async function finishClosing(tx: Db, sale: SaleInfo): Promise<SaleInfo> {
  const closedAt = new Date(await closeStocks(sale));
  const row = await tx.sale.update({
    where: { id: sale.saleId },
    data: { status: 'closed', closedAt, version: { increment: 1 } },
    include: SALE_PARTS,
  });
  const closed = toSaleInfo(row);
  const fields = changedFields(recordedSale(sale), recordedSale(closed)) ?? { before: null, after: null };
  const subject = { kind: 'sale', id: sale.saleId };
  await recordAction(tx, SYSTEM, { action: 'sale.close', subject, ...fields });
  return closed;
}

async function configure(sale: SaleInfo, isWaitlistOpen: boolean | undefined): Promise<void> {
  const { startsAt, endsAt, paused, limitPerUser, reservation } = sale;
  for (const stock of loadingsOf(sale))
    await configureStock({
      ...stock,
      startsAt,
      endsAt,
      paused,
      limit: limitPerUser,
      limits: sliceLimits(sale.limits, sale.slices),
      requiresReservation: reservation !== null,
      ...(isWaitlistOpen === undefined ? {} : { isWaitlistOpen }),
    });
}
