import { createLoadUsers } from '@/lib/load-test/create-load-users';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import type { Figure } from '../bench-context';
import { whole } from '../report/format';
import { singleRow } from '../report/rows';
import { fillBuyers, loadPurchaseScript } from '../stack/fill';
import { openBenchSale } from '../stack/sales';
import { awaitOrders } from './await-orders';

const TARGET = 12_000;
const TIMEOUT_MS = 120_000;

/**
 * Measures how many orders per second are written from a full outbox: relay, embedded executor, web process and
 * Postgres together.
 */
export const measureOrders: Figure = async ({ product, isQuick, atEnd }) => {
  const backlog = isQuick ? 5_000 : 50_000;
  await createLoadUsers(backlog);
  const sale = await openBenchSale(backlog);
  const { saleId } = sale;
  const sha = await loadPurchaseScript();
  await fillBuyers(product.env.REDIS_URL ?? '', sha, sale, backlog);
  const waiting = await stockRedis().xlen(keys.outbox(saleId));
  if (waiting !== backlog) throw new Error(`the outbox holds ${waiting} of ${backlog} purchases`);
  atEnd((await product.startWriters()).stop);
  const { written, firstAtMs, lastAtMs, firstCount } = await awaitOrders(saleId, backlog, TIMEOUT_MS);
  if (written < backlog) throw new Error(`${written} orders were written in ${TIMEOUT_MS / 1000} s`);
  const perSecond = ((written - firstCount) / Math.max(1, lastAtMs - firstAtMs)) * 1000;
  return {
    samples: { ordersPerSecond: [perSecond] },
    rows: [
      singleRow({
        figure: `orders written/s, backlog of ${whole(backlog)}`,
        measured: `${whole(written)} in ${((lastAtMs - firstAtMs) / 1000).toFixed(1)} s`,
        value: perSecond,
        target: { atLeast: TARGET },
        text: whole,
      }),
    ],
    notes: [
      'one run, from the first order seen in Postgres to the last. One worker, one executor, one web process, and Postgres with fsync share the cores.',
    ],
  };
};
