import 'server-only';
import { unknownReply } from '@/lib/redis/parse-reply';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkId, isOrderNo, isStockId } from './check-ids';
import { formatNext, givingKeys, type NextWaiting } from './next-waiting';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'take-back-5';

type TakeBackResult = {
  status: 'taken_back' | 'already_released' | 'unknown_order' | 'unknown_sale';
  /** Units are left that others wait for, and no purchase gets them: the caller serves the waitlist. */
  isAwaited?: true;
};

/**
 * Takes back the units of an order that was refunded, or ended unpaid although Redis still counts them. They are for sale
 * again, or they are written off and the total shrinks.
 * Repeating it changes nothing.
 * @param due the first who wait for a unit of the sale, as they stand now: they get it in the same step
 * @throws TypeError if `userId` is no id, StockCorruptError, connection errors.
 */
export async function takeBackStock(
  order: { saleId: string; userId: string; orderNo: string },
  isForSale: boolean,
  due: readonly NextWaiting[] = [],
): Promise<TakeBackResult> {
  if (!isStockId(order.saleId)) return { status: 'unknown_sale' };
  if (!isOrderNo(order.orderNo)) return { status: 'unknown_order' };
  checkId('userId', order.userId);
  const stockId = await stockAt(order.saleId, order.userId);

  const reply = await runStockScript(SCRIPT, givingKeys(stockId), [
    order.userId,
    order.orderNo,
    isForSale ? 1 : 0,
    ...formatNext(due),
  ]);
  switch (reply[0]) {
    case 'taken_back':
      await announceChange(saleOf(stockId));
      return reply[1] === '1' ? { status: 'taken_back', isAwaited: true } : { status: 'taken_back' };
    case 'already_released':
    case 'unknown_order':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
