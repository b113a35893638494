import 'server-only';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { checkId, isOrderNo, isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';

const SCRIPT = 'confirm-2';

type ConfirmResult = {
  status: 'confirmed' | 'already_confirmed' | 'already_released' | 'unknown_order' | 'unknown_sale';
};

/**
 * Turns a paid order's units from held into sold. Repeating it, or confirming after a release, changes nothing.
 * @throws TypeError if `userId` is no id, StockCorruptError, connection errors.
 */
export async function confirmStock(order: {
  saleId: string;
  userId: string;
  orderNo: string;
}): Promise<ConfirmResult> {
  if (!isStockId(order.saleId)) return { status: 'unknown_sale' };
  if (!isOrderNo(order.orderNo)) return { status: 'unknown_order' };
  checkId('userId', order.userId);
  const stockId = await stockAt(order.saleId, order.userId);

  const reply = await runStockScript(
    SCRIPT,
    [keys.sale(stockId), keys.buyers(stockId)],
    [order.userId, order.orderNo],
  );
  switch (reply[0]) {
    case 'confirmed':
    case 'already_confirmed':
    case 'already_released':
    case 'unknown_order':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
