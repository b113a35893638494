import 'server-only';
import { log } from '@/lib/http/log';
import { markSettled } from '@/lib/order/mark-settled';
import type { StockOrder } from '@/lib/order/types';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { confirmStock } from '@/lib/stock/confirm-stock';

/** Turns the units of paid orders into sold ones in Redis, then notes it. Idempotent; the sweep repeats it if need be. */
export async function settleConfirmed(orders: readonly StockOrder[]): Promise<void> {
  await Promise.all(orders.map(confirm));
  await markSettled(orders.map(({ orderNo }) => orderNo));
}

async function confirm(order: StockOrder): Promise<void> {
  const { status } = await confirmStock(order);
  if (status !== 'already_released') return;
  // Redis may have sold the unit again; Postgres, the authority, counts it as sold and refuses the other one.
  log.error({ ...order, status }, 'a paid order was released in Redis');
  await recordDeadLetter({
    consumer: 'settle-confirmed',
    messageId: order.orderNo,
    saleId: order.saleId,
    orderNo: BigInt(order.orderNo),
    payload: order,
    error: 'paid in Postgres, but Redis has given its units back',
  });
}
