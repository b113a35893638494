import 'server-only';
import { isDataError } from '@/lib/db/sql-state';
import { readBatch } from '@/lib/order/read-batch';
import type { OrderBatch } from '@/lib/outbox/accepted-order';
import { placeOrder } from './place-order';
import { type Placement, placeOrders } from './place-orders';
import { releaseDeadLetters } from './release-dead-letters';
import { settleReleased } from './settle-released';

export type CreatedOrders = {
  /** Orders of the batch that wait for payment, whichever delivery wrote them. */
  orderNos: string[];
  /** Epoch ms at which the last of them is due; null if there are none. */
  deadlineAt: number | null;
};

/**
 * Turns accepted purchases of one sale (at most 100) into orders, as one transaction. If that fails because of some of
 * them, they are taken one by one: those that fit are written, the others recorded as failed and their units given
 * back, so that a poisoned order never blocks the rest. A repeated delivery changes nothing and gets the same answer.
 * @throws what another attempt may not meet: connection errors, serialization failures.
 */
export async function createOrders(batch: OrderBatch): Promise<CreatedOrders> {
  const { saleId } = batch;
  // Sorted, so that two deliveries that overlap take their locks in the same order.
  const orders = [...batch.orders].sort((a, b) => (BigInt(a.orderNo) < BigInt(b.orderNo) ? -1 : 1));
  const orderNos = orders.map(({ orderNo }) => orderNo);
  const placement = await placeAll({ saleId, orders });
  if (placement.status === 'fresh') return { orderNos, deadlineAt: placement.deadlineAt };
  if (placement.status === 'does_not_fit') {
    for (const order of orders) await placeOrder(saleId, order);
  }
  const { pending, deadlineAt, unsettled } = await readBatch(saleId, orderNos);
  await settleReleased(unsettled);
  await releaseDeadLetters({ orderNos });
  return { orderNos: pending, deadlineAt };
}

async function placeAll(batch: OrderBatch): Promise<Placement> {
  try {
    return await placeOrders(batch);
  } catch (error) {
    if (isDataError(error)) return { status: 'does_not_fit' };
    throw error;
  }
}
