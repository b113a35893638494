import 'server-only';
import { log } from '@/lib/http/log';
import { markSettled } from '@/lib/order/mark-settled';
import type { StockOrder } from '@/lib/order/types';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { releaseStock } from '@/lib/stock/release-stock';

/**
 * Gives the units of ended orders back in Redis, then notes it. Runs after the transaction that ended them; if it
 * fails, or the process dies in between, the sweep repeats it. Idempotent.
 */
export async function settleReleased(orders: readonly StockOrder[]): Promise<void> {
  await Promise.all(orders.map(release));
  await markSettled(orders.map(({ orderNo }) => orderNo));
}

async function release(order: StockOrder): Promise<void> {
  const { status } = await releaseStock(order);
  // An order or sale that Redis does not know was loaded from Postgres after the order had ended: nothing to give back.
  if (status !== 'already_confirmed') return;
  // The two disagree. Changing either would be a guess, so it is put in front of a person.
  log.error({ ...order, status }, 'an unpaid order is sold in Redis');
  await recordDeadLetter({
    consumer: 'settle-released',
    messageId: order.orderNo,
    saleId: order.saleId,
    orderNo: BigInt(order.orderNo),
    payload: order,
    error: 'ended unpaid in Postgres, but Redis holds it as sold',
  });
}
