import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { groupBy } from '@/lib/outbox/group-by';
import { openSaleIfReachable } from '@/lib/outbox/open-sales';
import { listSelling } from '@/lib/sale/records/list-selling';
import { loadingsOf } from '@/lib/slice/loadings';
import { saleOf, sliceNumberOf } from '@/lib/slice/numbers/stock-ids';
import { settleParcels } from '@/lib/slice/settle-parcels';
import { probeStock } from '@/lib/stock/probe-stock';
import { ensureStockLoaded } from './ensure-stock-loaded';

/** A rebuild is mostly waiting. More at a time would take connections to Postgres from those who buy. */
const REBUILDS_AT_A_TIME = 4;

/**
 * Looks once at every sale that sells or may have orders on their way, slice by slice. Rebuilds stock that Redis has
 * lost or holds as an old copy, has the relays read its outbox, and settles units between slices. A worker calls it
 * each second. A sale that ended over an hour ago is loaded at its next request.
 * @returns the sales that were rebuilt. @throws connection errors of the look itself, unless another server of a
 *   cluster could be asked: then the next look asks again.
 */
export async function guardStock(): Promise<string[]> {
  const { rebuilt, outages, looked, split } = await guardSales(() => true);
  if (outages.length > 0 && looked.length === 0) throw outages[0];
  if (outages.length > 0)
    log.warn({ sales: outages.length, err: outages[0] }, 'sales could not be looked at');
  // A Redis that has lost its latest writes may no longer know which outboxes the relays read.
  const open = looked.filter(({ isClosed }) => !isClosed);
  await Promise.all(open.map(({ id }) => openSaleIfReachable(id)));
  for (const saleId of split)
    await settleParcels(saleId).catch((err: unknown) => {
      log[isOutage(err) ? 'warn' : 'error']({ saleId, err }, 'units on their way between slices wait');
    });
  return rebuilt;
}

type Looked = { id: string; epoch: number; isClosed: boolean };
type Guarded = { rebuilt: string[]; looked: Looked[]; outages: unknown[]; split: string[] };

/**
 * Looks at some of the sales and slices, and rebuilds what must be.
 * @returns also those that could be looked at, the outages met, one for each of the others: those are as they were; and
 *   which sales are split
 */
export async function guardSales(isMeant: (stockId: string) => boolean): Promise<Guarded> {
  const selling = await listSelling();
  const sales = selling.flatMap((sale) =>
    loadingsOf({ ...sale, saleId: sale.id })
      .filter(({ saleId }) => isMeant(saleId))
      .map(({ saleId: id, epoch }) => ({ id, epoch, isClosed: sale.isClosed })),
  );
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
  const bySale = [...groupBy(lost, ({ id }) => saleOf(id))];
  const rebuilt: string[] = [];
  const rebuildNext = async () => {
    for (let next = bySale.shift(); next; next = bySale.shift()) {
      const [saleId, stocks] = next;
      const slices = stocks.map(({ id }) => sliceNumberOf(id));
      try {
        if ((await ensureStockLoaded(saleId, slices)).status === 'loaded') rebuilt.push(saleId);
      } catch (err) {
        // A sale that can't be loaded must not keep the others closed.
        log.error({ saleId, slices, err }, 'stock could not be rebuilt');
      }
    }
  };
  await Promise.all(Array.from({ length: REBUILDS_AT_A_TIME }, rebuildNext));
  const split = selling.filter(({ slices }) => slices > 1).map(({ id }) => id);
  return { rebuilt, looked, outages, split };
}
