import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { markSettled } from '@/lib/order/records/mark-settled';
import { readForRetake } from '@/lib/order/records/read-for-retake';
import { readStand } from '@/lib/order/records/read-stand';
import type { StockOrder } from '@/lib/order/records/types';
import { reportProblem } from '@/lib/outbox/report-problem';
import { findLastTaken } from '@/lib/sale/records/find-last-taken';
import { retakeUnits } from '@/lib/slice/retake-units';
import { confirmStock } from '@/lib/stock/confirm-stock';
import { groupByStock } from './group-by-stock';
import { isStockCurrent } from './is-stock-current';
import { settleRefunded } from './settle-refunded';

/**
 * Counts the units of paid orders as sold in Redis, then notes it. Idempotent; the sweep repeats it if necessary.
 * @throws the first failure, after all other orders have had their turn.
 */
export async function settleConfirmed(orders: readonly StockOrder[]): Promise<void> {
  const { inRedis, inDatabase } = await groupByStock(orders);
  const told = await Promise.allSettled(inRedis.map(confirm));
  const settled = [...inDatabase, ...inRedis.filter((_, at) => told[at]?.status === 'fulfilled')];
  await markSettled(
    settled.map(({ orderNo }) => orderNo),
    ['paid'],
  );
  for (const result of told) if (result.status === 'rejected') throw result.reason;
}

async function confirm(order: StockOrder): Promise<void> {
  const { status } = await confirmStock(order);
  if (status !== 'already_released' && status !== 'unknown_order') return;
  // The order was refunded meanwhile, so giving the units back was right.
  if ((await readStand(db(), order.orderNo)).status !== 'paid') return;
  // Redis was rebuilt while late money was being kept; or it had sold the units before a process could bring this
  // purchase back, and Postgres gave the room to this one. Postgres is the authority and counts the units as sold.
  const takenAt = await findLastTaken(order.saleId);
  const retaken = await retakeUnits({ ...(await readForRetake(order.orderNo)), as: 'sold', takenAt });
  if (retaken.status === 'retaken' || retaken.status === 'already_confirmed') {
    if ((await readStand(db(), order.orderNo)).status === 'refunded') await settleRefunded([order]);
    return;
  }
  // Redis came back older, or is being loaded: the next loading counts these units as sold.
  if (!(await isStockCurrent(order))) return;
  if ((await readStand(db(), order.orderNo)).status !== 'paid') return;
  // Redis has sold the units again. Postgres refuses the other order; staff should know until both agree again.
  log.error({ ...order, status: retaken.status }, 'a paid order has no units in Redis');
  await reportProblem({
    consumer: 'settle-confirmed',
    messageId: order.orderNo,
    saleId: order.saleId,
    orderNo: BigInt(order.orderNo),
    payload: order,
    error: 'paid in Postgres, but Redis has given its units back',
  });
}
