import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { type CampaignRefusal, refuseCampaign } from '@/lib/campaign/admin/refuse-campaign';
import { ADMISSIONS, type SaleAdmission } from '@/lib/contract/words/sale';
import type { Db } from '@/lib/db/client';
import { createLine } from '@/lib/line/records/create-line';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { renewSalePages } from '@/lib/pages/renew-sale-pages';
import { type ProductRefusal, refuseArchived } from '@/lib/product/refuse-archived';
import { findSaleInfo, warmSaleInfo } from '@/lib/sale/records/find-sale-info';
import { hasOwner } from '@/lib/shop/records/owners';
import { type ChangeResult, changeSale } from './change-sale';

type WrongState = Extract<ChangeResult, { status: 'wrong_state' }>;

/**
 * Publishes a draft and warms it up: loads stock, gate and info into Redis and renews the pages. On a published sale
 * it changes nothing but the version, and warms up again. A draft of a shop without an owner, or of an archived product, stays one.
 */
export async function publishSale(
  actor: Actor,
  saleId: string,
): Promise<ChangeResult<CampaignRefusal | ProductRefusal>> {
  let isNew = false;
  const published = await changeSale<CampaignRefusal | ProductRefusal | WrongState>(actor, saleId, {
    action: 'sale.publish',
    from: ['draft', 'published'],
    refuse: async (row, tx) => {
      isNew = row.status === 'draft';
      if (!isNew) return null;
      if (!(await hasOwner(tx, row.merchantId))) return { status: 'wrong_state', is: 'draft' };
      return (await refuseCampaign(tx, row.campaignId, row)) ?? refuseArchived(tx, row.productId);
    },
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
      if (isNew) await keepTaxRate(tx, saleId);
      if (ADMISSIONS[admission as SaleAdmission].hasLine) await createLine(tx, saleId);
    },
  });
  if (published.status !== 'changed') return published;
  // Redis holds nothing under the new epoch yet; this loads it. If it fails, the first request loads it.
  await ensureStockLoaded(saleId);
  const sale = (await findSaleInfo(saleId)) ?? published.sale;
  await warmSaleInfo(sale);
  await renewSalePages([sale.slug], sale.campaign?.slug);
  return { status: 'changed', sale };
}

/** Keeps the tax rate of the sale's product: from now on receipts say it, whatever the product says later. */
const keepTaxRate = (tx: Db, saleId: string) =>
  tx.$executeRaw`UPDATE sales s SET tax_rate = g.tax_rate FROM products g WHERE s.id = ${saleId} AND g.id = s.product_id`;
