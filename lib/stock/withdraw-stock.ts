import 'server-only';
import { keys } from '@/lib/redis/keys';
import { saleOf } from '@/lib/slice/stock-ids';
import { checkStockId } from './check-ids';
import { runStockScript, unknownReply } from './run-stock-script';
import { announceChange } from './stock-changes';

const SCRIPT = 'withdraw-1';

/**
 * Stops a sale before a rebuild loads it again: every purchase now gets `unknown_sale`, so no new entry joins the
 * outbox. Buyers and outbox stay. Only for a rebuild: the sale, or the slice that `saleId` names, sells nothing until it is loaded.
 * @returns the name of the server, for the load: another one after a start or a failover lacks what was written ahead
 * @throws TypeError if `saleId` is no id, connection errors.
 */
export async function withdrawStock(saleId: string): Promise<string> {
  checkStockId(saleId);
  const reply = await runStockScript(SCRIPT, [keys.sale(saleId)], []);
  const [status, server] = reply;
  if (status !== 'withdrawn' || !server) throw unknownReply(SCRIPT, reply);
  await announceChange(saleOf(saleId));
  return server;
}
