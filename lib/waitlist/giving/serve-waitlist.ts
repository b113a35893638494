import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { stockRedis } from '@/lib/redis/client';
import { runScript } from '@/lib/redis/run-script';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { formatNext, givingKeys } from '@/lib/stock/next-waiting';
import { announceChange } from '@/lib/stock/stock-changes';
import { readFree } from '@/lib/waitlist/records/read-free';
import { findNext } from './find-next';

/** Gives up to 500 units: some five milliseconds of Redis. */
const SCRIPT = 'serve-waitlist-5';

/**
 * Gives what is for sale to those who wait, in their order, until nothing is left of one or the other. Each shopper's right
 * to buy is asked again right before: a shopper who has lost it is passed over, and the next gets the unit. No purchase
 * gets these units meanwhile.
 * @returns how many units were given; 0 also where the sale is not loaded under this epoch. @throws connection errors
 */
export async function serveWaitlist({ saleId, epoch }: { saleId: string; epoch: number }): Promise<number> {
  let served = 0;
  for (;;) {
    const free = await readFree(saleId);
    const due = free.length > 0 ? await findNext(saleId, free) : [];
    const reply = await runScript(stockRedis(), SCRIPT, givingKeys(saleId), [epoch, ...formatNext(due)]);
    const [status, given = '', passed = ''] = reply;
    if (status === 'unknown_sale' || status === 'stale_epoch') return served;
    if (status !== 'served' || !/^\d+$/.test(given) || !/^\d+$/.test(passed))
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply)}`);
    served += Number(given);
    if (Number(given) > 0) await announceChange(saleId);
    const units = free.reduce((sum, one) => sum + one.units, 0);
    if (Number(given) + Number(passed) === 0 || units <= Number(given)) return served;
  }
}

/**
 * Does the same right after units came free, so that those who wait need not wait for a worker. While a store is away, a
 * worker does it later.
 */
export async function serveFreed(saleId: string): Promise<void> {
  try {
    const info = await findSaleInfo(saleId);
    if (info) await serveWaitlist(info);
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ saleId, err }, 'units wait for a worker to give them to those who wait');
  }
}
