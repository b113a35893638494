import 'server-only';
import { unknownReply } from '@/lib/redis/parse-reply';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkId, isOrderNo, isStockId } from './check-ids';
import { formatNext, givingKeys, type NextWaiting } from './next-waiting';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'release-5';

type ReleaseResult = {
  status: 'released' | 'already_released' | 'already_confirmed' | 'unknown_order' | 'unknown_sale';
  /** Units are left that others wait for, and no purchase gets them: the caller serves the waitlist. */
  isAwaited?: true;
};

/**
 * Releases an unpaid order's units: from held to available. Repeating it, or releasing after a confirm, changes
 * nothing.
 * @param due the first who wait for a unit of the sale, as they stand now: they get it in the same step
 * @throws TypeError if `userId` is no id, StockCorruptError, connection errors.
 */
export async function releaseStock(
  order: { saleId: string; userId: string; orderNo: string },
  due: readonly NextWaiting[] = [],
): Promise<ReleaseResult> {
  if (!isStockId(order.saleId)) return { status: 'unknown_sale' };
  if (!isOrderNo(order.orderNo)) return { status: 'unknown_order' };
  checkId('userId', order.userId);
  const stockId = await stockAt(order.saleId, order.userId);

  const reply = await runStockScript(SCRIPT, givingKeys(stockId), [
    order.userId,
    order.orderNo,
    ...formatNext(due),
  ]);
  switch (reply[0]) {
    case 'released':
      await announceChange(saleOf(stockId));
      return reply[1] === '1' ? { status: 'released', isAwaited: true } : { status: 'released' };
    case 'already_confirmed':
    case 'already_released':
    case 'unknown_order':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
