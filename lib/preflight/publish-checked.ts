import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import type { CampaignRefusal } from '@/lib/campaign/admin/refuse-campaign';
import type { Check } from '@/lib/contract/shapes/preflight';
import { db } from '@/lib/db/client';
import type { ProductRefusal } from '@/lib/product/refuse-archived';
import type { ChangeResult } from '@/lib/sale/admin/change-sale';
import { publishSale } from '@/lib/sale/admin/publish-sale';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/records/to-sale-info';
import { checkParts } from './check-parts';
import { isStopping } from './make-check';

/**
 * Publishes a draft, unless a part is missing without which it can't be sold correctly. A published sale is warmed up
 * again without checks: that is how a missing stock is repaired.
 */
export async function publishChecked(
  actor: Actor,
  saleId: string,
): Promise<ChangeResult<{ status: 'not_ready'; checks: Check[] } | CampaignRefusal | ProductRefusal>> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (row?.status === 'draft' && (await mayManage(actor, row.merchantId, 'settings'))) {
    const checks = (await checkParts(toSaleInfo(row))).filter(isStopping);
    if (checks.length > 0) return { status: 'not_ready', checks };
  }
  return publishSale(actor, saleId);
}
