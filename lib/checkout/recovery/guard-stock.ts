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
 * On a cluster, sales of a server that is away keep no others waiting.
 * @param isMeant which sales to look at; all unless given
 * @returns the sales that were rebuilt. @throws connection errors of the look itself, after the others were looked at.
 */
export async function guardStock(isMeant: (saleId: string) => boolean = () => true): Promise<string[]> {
  const sales = (await listSelling()).filter(({ id }) => isMeant(id));
  const probes = await Promise.all(
    sales.map(({ id }) => probeStock(id).catch((error: unknown) => ({ status: 'away' as const, error }))),
  );
  const rebuilt: string[] = [];
  for (const [at, { id, epoch }] of sales.entries()) {
    const probe = probes[at];
    if (probe?.status === 'away' || (probe?.status === 'loaded' && probe.epoch === epoch)) continue;
    try {
      if ((await ensureStockLoaded(id)).status === 'loaded') rebuilt.push(id);
    } catch (err) {
      // A sale that can't be loaded must not keep the others closed.
      log.error({ saleId: id, err }, 'stock could not be rebuilt');
    }
  }
  // A Redis that has lost its latest writes may no longer know which outboxes the relays read.
  const open = sales.filter(({ isClosed }, at) => !isClosed && probes[at]?.status !== 'away');
  await Promise.all(open.map(({ id }) => openSale(id)));
  for (const probe of probes) if (probe.status === 'away') throw probe.error;
  return rebuilt;
}
