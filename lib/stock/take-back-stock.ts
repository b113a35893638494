import 'server-only';
import { stockAt } from '@/lib/slice/slices-of';
import { saleOf } from '@/lib/slice/stock-ids';
import { checkId, isOrderNo, isStockId } from './check-ids';
import { givingKeys } from './giving-keys';
import { runStockScript, unknownReply } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'take-back-5';

type TakeBackResult = {
  status: 'taken_back' | 'already_released' | 'unknown_order' | 'unknown_sale';
};

/**
 * Takes back the units of a refunded order. They are for sale again, or they are written off and the total shrinks.
 * Repeating it changes nothing.
 * @throws TypeError if `userId` is no id, StockCorruptError, connection errors.
 */
export async function takeBackStock(
  order: { saleId: string; userId: string; orderNo: string },
  isForSale: boolean,
): Promise<TakeBackResult> {
  if (!isStockId(order.saleId)) return { status: 'unknown_sale' };
  if (!isOrderNo(order.orderNo)) return { status: 'unknown_order' };
  checkId('userId', order.userId);
  const stockId = await stockAt(order.saleId, order.userId);

  const reply = await runStockScript(SCRIPT, givingKeys(stockId), [
    order.userId,
    order.orderNo,
    isForSale ? 1 : 0,
  ]);
  switch (reply[0]) {
    case 'taken_back':
      await announceChange(saleOf(stockId));
      return { status: 'taken_back' };
    case 'already_released':
    case 'unknown_order':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
