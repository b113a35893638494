import 'server-only';
import { transaction } from '@/lib/db/transaction';
import { CREATE_ORDERS } from '@/lib/order/records/consumer-names';
import { readBatch } from '@/lib/order/records/read-batch';
import { recordFailedOrder } from '@/lib/order/records/record-failed-order';
import type { OrderBatch } from '@/lib/outbox/order-batch';
import { releaseDeadLetters } from './release-dead-letters';
import { settleReleased } from './settle-released';

/**
 * Gives up on accepted purchases that failed to become orders in every attempt: records each as failed and gives its
 * units back. Leaves purchases that did become orders alone. Idempotent.
 * @param consumer who gave up.
 * @returns the numbers of the orders given up.
 */
export async function compensateOrders(
  { saleId, orders }: OrderBatch,
  error: string,
  consumer: string = CREATE_ORDERS,
  attempts = 1,
): Promise<string[]> {
  const givenUp: string[] = [];
  for (const order of orders) {
    const failed = { saleId, order, reason: 'not_writable', error, consumer, attempts } as const;
    if (await transaction((tx) => recordFailedOrder(tx, failed))) givenUp.push(order.orderNo);
  }
  const orderNos = orders.map(({ orderNo }) => orderNo);
  await settleReleased((await readBatch(saleId, orderNos)).unsettled);
  await releaseDeadLetters(orderNos);
  return givenUp;
}
