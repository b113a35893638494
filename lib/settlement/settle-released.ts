import 'server-only';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { markSettled } from '@/lib/order/records/mark-settled';
import { readStand } from '@/lib/order/records/read-stand';
import type { StockOrder } from '@/lib/order/records/types';
import { reportProblem } from '@/lib/outbox/report-problem';
import { isRefundOpen } from '@/lib/payment/records/decide-refund';
import type { NextWaiting } from '@/lib/stock/next-waiting';
import { releaseStock } from '@/lib/stock/release-stock';
import { announceChange } from '@/lib/stock/stock-changes';
import { findNextAtRelease } from '@/lib/waitlist/giving/find-next';
import { serveFreed } from '@/lib/waitlist/giving/serve-waitlist';
import { groupByStock } from './group-by-stock';
import { isStockCurrent } from './is-stock-current';

/**
 * Gives the units of ended orders back in Redis, then notes it. Runs after the transaction that ended the orders. If
 * it fails for some of them, or the process dies in between, the sweep repeats it. Idempotent.
 * @throws the first failure, after all others have had their turn.
 */
export async function settleReleased(orders: readonly StockOrder[]): Promise<void> {
  const { inRedis, inDatabase } = await groupByStock(orders);
  const due = new Map(
    await Promise.all(
      saleIdsOf(inRedis).map(async (saleId) => [saleId, await findNextAtRelease(saleId)] as const),
    ),
  );
  const released = await Promise.allSettled(inRedis.map((order) => release(order, due.get(order.saleId))));
  const open = new Set(
    inRedis.flatMap(({ orderNo }, nth) => {
      const outcome = released[nth];
      return outcome?.status === 'fulfilled' && outcome.value !== 'open' ? [] : [orderNo];
    }),
  );
  const awaited = inRedis.filter((_, nth) => {
    const outcome = released[nth];
    return outcome?.status === 'fulfilled' && outcome.value === 'awaited';
  });
  await Promise.all(saleIdsOf(awaited).map(serveFreed));
  // Postgres already counts the units as available; every process must stop answering "sold out".
  await Promise.all(saleIdsOf(inDatabase).map(announceChange));
  await markSettled(
    orders.map(({ orderNo }) => orderNo).filter((orderNo) => !open.has(orderNo)),
    ['cancelled', 'failed'],
  );
  for (const outcome of released) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * Does the same for one order, right after the commit that ended it. The order has ended in any case: if Redis is
 * away, its units wait for the sweep.
 */
export async function settleEnded(order: StockOrder): Promise<void> {
  try {
    await settleReleased([order]);
  } catch (err) {
    if (!isOutage(err)) throw err;
    log.warn({ orderNo: order.orderNo, err }, 'units of a cancelled order wait for the sweep');
  }
}

/**
 * Gives one order's units back.
 * @param due the first who wait for a unit
 * @returns `awaited` if units are left that others wait for; `open` if another process is deciding about them just now
 */
async function release(
  order: StockOrder,
  due: readonly NextWaiting[] | undefined,
): Promise<'settled' | 'awaited' | 'open'> {
  const { status, isAwaited } = await releaseStock(order, due);
  if (isAwaited) return 'awaited';
  // If Redis does not know the order or the sale, it was loaded from Postgres after the order had ended: nothing to
  // give back.
  if (status !== 'already_confirmed') return 'settled';
  // Late money is about to buy the units back. The process that decides about it first sets them aside in Redis.
  if (await isRefundOpen(db(), `pay_${order.orderNo}`)) return 'open';
  // The late money has bought the units meanwhile.
  if ((await readStand(db(), order.orderNo)).status === 'paid') return 'settled';
  // Redis came back older, or is being loaded: the next loading leaves these units for sale.
  if (!(await isStockCurrent(order))) return 'settled';
  // Redis and Postgres disagree. Changing either would be a guess, so staff must decide.
  log.error({ ...order, status }, 'an unpaid order is sold in Redis');
  await reportProblem({
    consumer: 'settle-released',
    messageId: order.orderNo,
    saleId: order.saleId,
    orderNo: BigInt(order.orderNo),
    payload: order,
    error: 'ended unpaid in Postgres, but Redis holds it as sold',
  });
  return 'settled';
}
