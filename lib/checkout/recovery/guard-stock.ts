import 'server-only';
import { log } from '@/lib/http/log';
import { openSale } from '@/lib/outbox/open-sales';
import { listSelling } from '@/lib/sale/list-selling';
import { probeStock } from '@/lib/stock/probe-stock';
import { ensureStockLoaded } from './ensure-stock-loaded';

/**
 * Looks once at every sale that sells or may still have orders on their way. Rebuilds stock that Redis has lost, or
 * holds as a copy that may be old, and has the relays read its outbox. A worker calls it once a second, so a lost
 * sale comes back without a purchase. A sale that ended more than an hour ago is loaded at the next request for it.
 * @returns the sales that were rebuilt. @throws connection errors of the look itself.
 */
export async function guardStock(): Promise<string[]> {
  const sales = await listSelling();
  const probes = await Promise.all(sales.map(({ id }) => probeStock(id)));
  const rebuilt: string[] = [];
  for (const [at, { id, epoch }] of sales.entries()) {
    const probe = probes[at];
    if (probe?.status === 'loaded' && probe.epoch === epoch) continue;
    try {
      if ((await ensureStockLoaded(id)).status === 'loaded') rebuilt.push(id);
    } catch (err) {
      // A sale that can't be loaded must not keep the others closed.
      log.error({ saleId: id, err }, 'stock could not be rebuilt');
    }
  }
  // A Redis that has lost its latest writes may no longer know which outboxes the relays read.
  await Promise.all(sales.filter(({ isClosed }) => !isClosed).map(({ id }) => openSale(id)));
  return rebuilt;
}
