import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { openSaleIfReachable } from '@/lib/outbox/open-sales';
import { listSelling } from '@/lib/sale/list-selling';
import { probeStock } from '@/lib/stock/probe-stock';
import { ensureStockLoaded } from './ensure-stock-loaded';

/** A rebuild is mostly waiting. More at a time would take connections to Postgres from those who buy. */
const REBUILDS_AT_A_TIME = 4;

/**
 * Looks once at every sale that sells or may still have orders on their way. Rebuilds stock that Redis has lost, or
 * holds as a copy that may be old, and has the relays read its outbox. A worker calls it once a second, so a lost
 * sale comes back without a purchase. A sale that ended more than an hour ago is loaded at the next request for it.
 * @returns the sales that were rebuilt. @throws connection errors of the look itself, unless another server of a
 *   cluster could be asked: then the next look asks again.
 */
export async function guardStock(): Promise<string[]> {
  const { rebuilt, outages, looked } = await guardSales(() => true);
  if (outages.length > 0 && looked.length === 0) throw outages[0];
  if (outages.length > 0)
    log.warn({ sales: outages.length, err: outages[0] }, 'sales could not be looked at');
  // A Redis that has lost its latest writes may no longer know which outboxes the relays read.
  const open = looked.filter(({ isClosed }) => !isClosed);
  await Promise.all(open.map(({ id }) => openSaleIfReachable(id)));
  return rebuilt;
}

type Selling = Awaited<ReturnType<typeof listSelling>>[number];
type Guarded = { rebuilt: string[]; looked: Selling[]; outages: unknown[] };

/**
 * Looks at some of the sales, and rebuilds what must be.
 * @returns also those that could be looked at, and the outages met, one for each of the others: those are as they were
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
  const looked = sales.filter((_, at) => probes[at]);
  const lost = sales.filter(({ epoch }, at) => {
    const probe = probes[at];
    return probe && !(probe.status === 'loaded' && probe.epoch === epoch);
  });
  const rebuilt: string[] = [];
  const rebuildNext = async () => {
    for (let sale = lost.shift(); sale; sale = lost.shift()) {
      const { id } = sale;
      try {
        if ((await ensureStockLoaded(id)).status === 'loaded') rebuilt.push(id);
      } catch (err) {
        // A sale that can't be loaded must not keep the others closed.
        log.error({ saleId: id, err }, 'stock could not be rebuilt');
      }
    }
  };
  await Promise.all(Array.from({ length: REBUILDS_AT_A_TIME }, rebuildNext));
  return { rebuilt, looked, outages };
}
