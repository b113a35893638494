import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { runScript } from '@/lib/redis/run-script';
import { givingKeys } from '@/lib/stock/giving-keys';
import { announceChange } from '@/lib/stock/stock-changes';

const SCRIPT = 'serve-waitlist-5';
/** Units in one call: some five milliseconds of Redis. */
const AT_ONCE = 500;

/**
 * Gives what is for sale to those who wait, until nothing is left of one or the other. Whatever makes units free does so
 * itself; this is for what frees more than a script should give at once, and for times at which nothing may be sold.
 * @returns how many units were given; 0 also where the sale is not loaded under this epoch. @throws connection errors
 */
export async function serveWaitlist({ saleId, epoch }: { saleId: string; epoch: number }): Promise<number> {
  let served = 0;
  for (;;) {
    const reply = await runScript(stockRedis(), SCRIPT, givingKeys(saleId), [epoch, AT_ONCE]);
    const [status, given = ''] = reply;
    if (status === 'unknown_sale' || status === 'stale_epoch') return served;
    if (status !== 'served' || !/^\d+$/.test(given))
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply)}`);
    served += Number(given);
    if (Number(given) > 0) await announceChange(saleId);
    if (Number(given) < AT_ONCE) return served;
  }
}
