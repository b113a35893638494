import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/recovery/ensure-stock-loaded';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { configureStock } from '@/lib/stock/configure-stock';
import { Prisma } from '@/prisma/generated/client';
import type { Actor } from '../actor';
import { type ChangeResult, changeSale } from './change-sale';

/**
 * Changes a sale's rate limits, also while it runs: the next purchase is counted by the new ones, other requests within a
 * second. What was counted stays, unless the algorithm is another one. Null takes all limits away.
 */
export async function changeLimits(
  actor: Actor,
  saleId: string,
  limits: SaleLimits | null,
): Promise<ChangeResult> {
  await ensureStockLoaded(saleId);
  return changeSale(actor, saleId, {
    action: 'sale.change_limits',
    from: ['draft', 'published'],
    data: () => ({ limits: limits ?? Prisma.DbNull }),
    inRedis: async ({ epoch, status: saleStatus }) => {
      if (saleStatus === 'draft') return null;
      const { status } = await configureStock({ saleId, epoch, limits });
      if (status !== 'configured') throw new Error(`limiting ${saleId} under epoch ${epoch}: ${status}`);
      return null;
    },
  });
}
