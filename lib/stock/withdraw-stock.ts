import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkStockId } from './check-ids';
import { announceChange } from './stock-changes';

/**
 * Stops a sale before a rebuild loads it again: every purchase now gets `unknown_sale`, so no new entry joins the
 * outbox. Buyers and outbox stay. Only for a rebuild: this stock sells nothing until it is loaded.
 * @throws TypeError if it is no id, connection errors.
 */
export async function withdrawStock(stockId: string): Promise<void> {
  checkStockId(stockId);
  await stockRedis().unlink(keys.sale(stockId));
  await announceChange(saleOf(stockId));
}
