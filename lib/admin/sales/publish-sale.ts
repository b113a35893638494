import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/recovery/ensure-stock-loaded';
import { openLine } from '@/lib/line/open-line';
import { findSaleInfo, warmSaleInfo } from '@/lib/sale/find-sale-info';
import type { Actor } from '../actor';
import { renewSalePages } from '../pages/renew-sale-pages';
import { type ChangeResult, changeSale } from './change-sale';

/**
 * Publishes a draft and warms it up: loads stock, gate and info into Redis and renews the pages. On a published sale
 * it only warms up what is missing.
 */
export async function publishSale(actor: Actor, saleId: string): Promise<ChangeResult> {
  const published = await changeSale(actor, saleId, {
    action: 'sale.publish',
    from: ['draft', 'published'],
    data: (sale) =>
      sale.status === 'draft'
        ? { status: 'published', publishedAt: new Date(), epoch: { increment: 1 } }
        : {},
    inRedis: async () => null,
    within: async (tx) => {
      const { admission } = await tx.sale.findUniqueOrThrow({
        where: { id: saleId },
        select: { admission: true },
      });
      if (admission !== 'first_come') await openLine(tx, saleId);
    },
  });
  if (published.status !== 'changed') return published;
  // Redis holds nothing under the new epoch yet; this loads it. If it fails, the first request loads it.
  await ensureStockLoaded(saleId);
  const sale = (await findSaleInfo(saleId)) ?? published.sale;
  await warmSaleInfo(sale);
  await renewSalePages([sale.slug]);
  return { status: 'changed', sale };
}
