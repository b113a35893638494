import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import { checkStockId } from './check-ids';
import { announceChange } from './stock-changes';

/**
 * Stops a sale before a rebuild loads it again: every purchase now gets `unknown_sale`, so no new entry joins the
 * outbox. Buyers and outbox stay. Only for a rebuild: the sale, or the slice that `saleId` names, sells nothing until it is loaded.
 * @throws TypeError if `saleId` is no id, connection errors.
 */
export async function withdrawStock(saleId: string): Promise<void> {
  checkStockId(saleId);
  await stockRedis().unlink(keys.sale(saleId));
  await announceChange(saleOf(saleId));
}
