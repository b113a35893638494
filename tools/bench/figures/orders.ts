import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { BenchContext } from '../bench-context';
import { whole } from '../report/format';
import { measuredOnce } from '../report/ratio-row';
import { atLeast, type FigureReport } from '../report/types';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { dropBenchSale, openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

const TARGET = 12_000;
const TIMEOUT_MS = 120_000;

/**
 * Measures how many orders per second are written from a full outbox: relay, embedded executor, web process and
 * Postgres together.
 */
export async function measureOrders(context: BenchContext): Promise<FigureReport> {
  const { servers, product, isQuick } = context;
  const backlog = isQuick ? 5_000 : 50_000;
  await createLoadUsers(backlog);
  const sale = await openBenchSale(backlog);
  await fillBuyers(servers.redisUrl, await loadPurchaseScript(), sale, backlog);
  const waiting = await stockRedis().xlen(keys.outbox(sale.saleId));
  if (waiting !== backlog) throw new Error(`the outbox holds ${waiting} of ${backlog} purchases`);
  const writers = await product.startWriters();
  try {
    const { written, firstAtMs, lastAtMs, firstCount } = await awaitOrders(sale.saleId, backlog, TIMEOUT_MS);
    if (written === 0) throw new Error(`no order was written in ${TIMEOUT_MS / 1000} s`);
    const perSecond = ((written - firstCount) / Math.max(1, lastAtMs - firstAtMs)) * 1000;
    const isComplete = written === backlog;
    return {
      name: 'orders',
      samples: { ordersPerSecond: [perSecond] },
      rows: [
        {
          figure: `orders written/s, backlog of ${whole(backlog)}`,
          measured: `${whole(written)} in ${((lastAtMs - firstAtMs) / 1000).toFixed(1)} s`,
          result: whole(perSecond),
          target: `≥ ${whole(TARGET)}`,
          verdict: isComplete ? atLeast(perSecond, TARGET) : 'missed',
          ...(isComplete ? measuredOnce(perSecond, 'more') : {}),
        },
      ],
      notes: [
        'one run, from the first order seen in Postgres to the last. One worker, one executor, one web process, and Postgres with fsync share the cores.',
        ...(isComplete ? [] : [`given up after ${TIMEOUT_MS / 1000} s.`]),
      ],
    };
  } finally {
    await writers.stop();
    await dropBenchSale(sale);
  }
}
