import 'server-only';
import { keys } from '@/lib/redis/keys';
import { saleOf } from '@/lib/slice/stock-ids';
import { checkInteger, isStockId } from './check-ids';
import { replyNumber, runStockScript, unknownReply } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'extend-2';

type ExtendResult =
  | { status: 'extended' }
  /** `endsAt` is the end that now holds, in ms. */
  | { status: 'ended' | 'not_later'; endsAt: number }
  | { status: 'stale_epoch' | 'unknown_sale' };

/**
 * Moves the end of a warm sale to `endsAt` (ms), unless the sale is already over by the Redis clock. The next
 * purchase sees the change. Repeating it changes nothing. `saleId` may name one slice of a split sale.
 * @throws RangeError if `endsAt` is no valid time, connection errors.
 */
export async function extendStock(sale: {
  saleId: string;
  epoch: number;
  endsAt: number;
}): Promise<ExtendResult> {
  const { saleId, epoch, endsAt } = sale;
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  checkInteger('endsAt', endsAt, 0);
  const reply = await runStockScript(SCRIPT, [keys.sale(saleId), keys.limits(saleId)], [epoch, endsAt]);
  switch (reply[0]) {
    case 'extended':
      await announceChange(saleOf(saleId));
      return { status: 'extended' };
    case 'ended':
    case 'not_later':
      return { status: reply[0], endsAt: replyNumber(SCRIPT, reply, 1) };
    case 'stale_epoch':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
