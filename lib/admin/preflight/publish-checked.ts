import 'server-only';
import type { Check } from '@/lib/contract/shapes/preflight';
import { db } from '@/lib/db/client';
import { SALE_PARTS, toSaleInfo } from '@/lib/sale/to-sale-info';
import { type Actor, mayManage } from '../actor';
import type { CampaignRefusal } from '../campaigns/refuse-campaign';
import type { ChangeResult } from '../sales/change-sale';
import { publishSale } from '../sales/publish-sale';
import { checkParts } from './check-parts';

/**
 * Publishes a draft, unless a part is missing without which it can't be sold correctly. A published sale is warmed up
 * again without checks: that is how a missing stock is repaired.
 */
export async function publishChecked(
  actor: Actor,
  saleId: string,
): Promise<ChangeResult<{ status: 'not_ready'; checks: Check[] } | CampaignRefusal>> {
  const row = await db().sale.findUnique({ where: { id: saleId }, include: SALE_PARTS });
  if (row?.status === 'draft' && (await mayManage(actor, row.merchantId, 'settings'))) {
    const checks = (await checkParts(toSaleInfo(row))).filter(
      ({ ok, severity }) => !ok && severity === 'stop',
    );
    if (checks.length > 0) return { status: 'not_ready', checks };
  }
  return publishSale(actor, saleId);
}
