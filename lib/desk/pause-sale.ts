import 'server-only';
import { ensureStockLoaded } from '@/lib/checkout/ensure-stock-loaded';
import { configureStock } from '@/lib/stock/configure-stock';
import type { Actor } from './actor';
import { type ChangeResult, changeSale } from './change-sale';

/** Stops or resumes buying at once; orders already accepted go on. Repeating it changes nothing. */
export async function setSalePaused(actor: Actor, saleId: string, paused: boolean): Promise<ChangeResult> {
  await ensureStockLoaded(saleId);
  return changeSale(actor, saleId, {
    from: ['published'],
    data: () => ({ paused }),
    inRedis: async ({ epoch }) => {
      const { status } = await configureStock({ saleId, epoch, paused });
      if (status !== 'configured') throw new Error(`pausing ${saleId} under epoch ${epoch}: ${status}`);
      return null;
    },
  });
}
