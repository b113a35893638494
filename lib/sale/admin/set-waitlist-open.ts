import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { ensureStockLoaded } from '@/lib/loading/ensure-stock-loaded';
import { configureSale } from '@/lib/slice/configure-sale';
import { type ChangeResult, changeSale } from './change-sale';

type NoWaitlist = { status: 'no_waitlist' };

/**
 * Closes a sale's waitlist for newcomers, or opens it again. Waiting people keep their places. Repeating it changes
 * nothing but the sale's version.
 * @throws StockNotLoadedError if Redis loses the sale just then, connection errors; nothing has changed.
 */
export async function setWaitlistOpen(
  actor: Actor,
  saleId: string,
  isOpen: boolean,
): Promise<ChangeResult<NoWaitlist>> {
  await ensureStockLoaded(saleId);
  return changeSale<NoWaitlist>(actor, saleId, {
    action: isOpen ? 'sale.open_waitlist' : 'sale.close_waitlist',
    from: ['published'],
    refuse: ({ waitlist }) => (waitlist ? null : { status: 'no_waitlist' }),
    data: () => ({ waitlistClosed: !isOpen }),
    inRedis: async (sale) => {
      await configureSale(sale, { isWaitlistOpen: isOpen });
      return null;
    },
  });
}
