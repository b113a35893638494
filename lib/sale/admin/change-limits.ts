import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { configureSale } from '@/lib/slice/configure-sale';
import { Prisma } from '@/prisma/generated/client';
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
