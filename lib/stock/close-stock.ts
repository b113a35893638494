import 'server-only';
import { keys } from '@/lib/redis/keys';
import { replyNumber, unknownReply } from '@/lib/redis/parse-reply';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'close-1';

type CloseResult =
  | { status: 'closed' | 'already_closed'; endsAt: number }
  | { status: 'stale_epoch' | 'unknown_sale' };

/**
 * Ends a sale now (by the Redis clock) and for good. Orders that were already accepted go on.
 * @param sale `saleId` may name one slice of a split sale
 * @returns the end that now holds, in ms. @throws connection errors.
 */
export async function closeStock(sale: { saleId: string; epoch: number }): Promise<CloseResult> {
  if (!isStockId(sale.saleId)) return { status: 'unknown_sale' };
  const reply = await runStockScript(SCRIPT, [keys.sale(sale.saleId)], [sale.epoch]);
  switch (reply[0]) {
    case 'closed':
    case 'already_closed':
      await announceChange(saleOf(sale.saleId));
      return { status: reply[0], endsAt: replyNumber(SCRIPT, reply, 1) };
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
