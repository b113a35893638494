import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { forgetAtCdn } from '@/lib/pages/forget-at-cdn';
import { configureSale } from '@/lib/slice/configure-sale';
import { type ChangeResult, changeSale } from './change-sale';

/**
 * Stops or resumes buying at once. Orders already accepted go on. Repeating it changes nothing but the sale's version.
 * @throws StockNotLoadedError if Redis loses the sale just then, connection errors; nothing has changed.
 */
export async function setSalePaused(actor: Actor, saleId: string, paused: boolean): Promise<ChangeResult> {
  await ensureStockLoaded(saleId);
  const result = await changeSale(actor, saleId, {
    action: paused ? 'sale.pause' : 'sale.resume',
    from: ['published'],
    data: () => ({ paused }),
    inRedis: async (sale) => {
      await configureSale(sale, { paused });
      return null;
    },
  });
  if (result.status === 'changed') forgetAtCdn([result.sale.slug]);
  return result;
}
