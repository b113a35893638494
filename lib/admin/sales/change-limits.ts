import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/recovery/ensure-stock-loaded';
import { configureSale } from '@/lib/checkout/slices/configure-sale';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { Prisma } from '@/prisma/generated/client';
import type { Actor } from '../actor';
import { type ChangeResult, changeSale } from './change-sale';

/**
 * Changes a sale's rate limits, also while it runs. The new ones count from the next purchase on, for other requests
 * within a second. Counts so far stay, unless the algorithm changes. Null removes all limits.
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
    inRedis: async (sale) => {
      if (sale.status !== 'draft') await configureSale(sale, { limits });
      return null;
    },
  });
}
