import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { openSale } from '@/lib/outbox/open-sales';
import { listSelling } from '@/lib/sale/list-selling';
import { probeStock } from '@/lib/stock/probe-stock';
import { ensureStockLoaded } from './ensure-stock-loaded';

/**
 * Looks once at every sale that sells or may still have orders on their way. Rebuilds stock that Redis has lost, or
 * holds as a copy that may be old, and has the relays read its outbox. A worker calls it once a second, so a lost
 * sale comes back without a purchase. A sale that ended more than an hour ago is loaded at the next request for it.
 * @returns the sales that were rebuilt. @throws connection errors of the look itself, unless another server of a
 *   cluster could be asked: then the next look asks again.
 */
export async function guardStock(): Promise<string[]> {
  const { rebuilt, outages, looked } = await guardSales(() => true);
  if (outages.length > 0 && outages.length === looked) throw outages[0];
  if (outages.length > 0)
    log.warn({ sales: outages.length, err: outages[0] }, 'sales could not be looked at');
  return rebuilt;
}

type Guarded = { rebuilt: string[]; looked: number; outages: unknown[] };

/**
 * Does that for some of the sales.
 * @returns also how many were looked at, and the outages met: those sales are as they were
 */
export async function guardSales(isMeant: (saleId: string) => boolean): Promise<Guarded> {
  const sales = (await listSelling()).filter(({ id }) => isMeant(id));
  const outages: unknown[] = [];
  const probes = await Promise.all(
    sales.map(({ id }) =>
      probeStock(id).catch((error: unknown) => {
        if (!isOutage(error)) throw error;
        outages.push(error);
        return null;
      }),
    ),
  );
  const rebuilt: string[] = [];
  for (const [at, { id, epoch }] of sales.entries()) {
    const probe = probes[at];
    if (!probe || (probe.status === 'loaded' && probe.epoch === epoch)) continue;
    try {
      if ((await ensureStockLoaded(id)).status === 'loaded') rebuilt.push(id);
    } catch (err) {
      // A sale that can't be loaded must not keep the others closed.
      log.error({ saleId: id, err }, 'stock could not be rebuilt');
    }
  }
  // A Redis that has lost its latest writes may no longer know which outboxes the relays read.
  const open = sales.filter(({ isClosed }, at) => !isClosed && probes[at]);
  await Promise.all(open.map(({ id }) => openSale(id)));
  return { rebuilt, outages, looked: sales.length };
}
