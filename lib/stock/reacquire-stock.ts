import 'server-only';
import { nowMs } from '@/lib/clock';
import { keys } from '@/lib/redis/keys';
import { unknownReply } from '@/lib/redis/parse-reply';
import { stockAt } from '@/lib/slice/numbers/slices-of';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { formatBought } from './bought';
import { checkId, checkInteger, isOrderNo, isStockId } from './check-ids';
import { runStockScript } from './run-stock-script';
import { announceChange } from './stock-changes';
import { MAX_UNITS_IN_SCRIPTS } from './types';

const SCRIPT = 'reacquire-3';

type ReacquireResult = {
  status: 'retaken' | 'already_held' | 'already_confirmed' | 'over_limit' | 'sold_out' | 'unknown_sale';
};

/**
 * Takes units again for an order that had released them, if they are free and the limits of user and campaign allow it.
 * Idempotent. The purchase was made inside the sale's window, so that does not count now. Units whose money has come go
 * straight to `sold`: a late release of the order finds nothing. (A split sale: see `retakeUnits`.)
 * @param order `units` 1 to 10,000; `jti` the entry token it was bought with, needed where a rebuild forgot the
 *   purchase; `takenAt` the moment, epoch ms, that Postgres records as well (default: now): if these are the last
 *   units, the sale sold out then.
 * @throws TypeError on impossible ids or units, StockCorruptError, connection errors.
 */
export async function reacquireStock(order: {
  saleId: string;
  userId: string;
  orderNo: string;
  jti: string;
  units: number;
  variant?: number;
  as: 'held' | 'sold';
  takenAt?: number;
}): Promise<ReacquireResult> {
  const { saleId, userId, orderNo, jti, units, variant, as, takenAt = nowMs() } = order;
  if (!isStockId(saleId)) return { status: 'unknown_sale' };
  checkId('userId', userId);
  checkId('jti', jti);
  if (!isOrderNo(orderNo)) throw new TypeError(`not an order number: ${orderNo}`);
  if (!Number.isInteger(units) || units < 1 || units > MAX_UNITS_IN_SCRIPTS)
    throw new TypeError(`units: ${units}`);
  checkInteger('takenAt', takenAt, 0);
  const stockId = await stockAt(saleId, userId);

  const reply = await runStockScript(
    SCRIPT,
    [keys.sale(stockId), keys.buyers(stockId), keys.allowances(stockId)],
    [
      userId,
      orderNo,
      formatBought({ jti, orderNo, quantity: units, variant }),
      as === 'held' ? 'h' : 's',
      takenAt,
    ],
  );
  switch (reply[0]) {
    case 'retaken':
      await announceChange(saleOf(stockId));
      return { status: 'retaken' };
    case 'already_held':
    case 'already_confirmed':
    case 'over_limit':
    case 'sold_out':
    case 'unknown_sale':
      return { status: reply[0] };
    default:
      throw unknownReply(SCRIPT, reply);
  }
}
