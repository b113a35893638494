import 'server-only';
import { isDataError } from '@/lib/db/sql-state';
import { log } from '@/lib/http/log';
import { countWritten } from '@/lib/metrics/delay-meter';
import { readBatch } from '@/lib/order/read-batch';
import { writeOrders } from '@/lib/order/write-orders';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { OrderBatch } from '@/lib/outbox/order-batch';
import { DEFAULT_PROVIDER } from '@/lib/payment/providers';
import { isTracing, recordSpan, spanClock } from '@/lib/trace/record-span';
import { placeOrder } from './place-order';
import { releaseDeadLetters } from './release-dead-letters';
import { settleReleased } from './settle-released';

type CreatedOrders = {
  /** Orders of the batch that wait for payment, including those an earlier delivery wrote. */
  orderNos: string[];
  /** Epoch ms of the latest deadline among them; null if there are none. */
  deadlineAt: number | null;
};

/**
 * Turns accepted purchases of one sale (at most 500) into orders, in one statement. If some of them make that fail,
 * it halves the batch until those stand alone. The rest is written; the failing ones are recorded as failed and their
 * units given back. So a poisoned order never blocks the others. A repeated delivery changes nothing and gets the
 * same answer.
 * @throws errors that another attempt may not meet: connection errors, serialization failures.
 */
export async function createOrders(batch: OrderBatch): Promise<CreatedOrders> {
  const { saleId } = batch;
  const beganAt = spanClock();
  // Sorted, so that two overlapping deliveries take their locks in the same order.
  const orders = [...batch.orders].sort(byNumber);
  const orderNos = orders.map(({ orderNo }) => orderNo);
  const placement = await placeAll({ saleId, orders });
  if (placement.status === 'fresh') {
    countWritten(orders);
    log.info({ saleId, orderNos }, 'orders written');
    for (const { jti, orderNo } of isTracing() ? orders : [])
      recordSpan('write order', jti, beganAt, { saleId, orderNo, 'db.system': 'postgresql' });
    return { orderNos, deadlineAt: placement.deadlineAt };
  }
  if (placement.status === 'does_not_fit') await placeParts(saleId, orders);
  const { pending, deadlineAt, unsettled } = await readBatch(saleId, orderNos);
  await settleReleased(unsettled);
  await releaseDeadLetters({ orderNos });
  return { orderNos: pending, deadlineAt };
}

/**
 * Compares as numbers without converting: the strings are decimal digits without leading zeros, so the shorter one is
 * smaller.
 */
function byNumber({ orderNo: a }: AcceptedOrder, { orderNo: b }: AcceptedOrder): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/**
 * Writes a batch in parts, after writing it as a whole has failed. Halving makes one faulty order cost some twenty
 * statements instead of five hundred. The first half goes first: if too little stock is left, the same orders get
 * it as if written one by one.
 */
async function placeParts(saleId: string, orders: readonly AcceptedOrder[]): Promise<void> {
  const [only] = orders;
  if (only && orders.length === 1) {
    await placeOrder(saleId, only);
    return;
  }
  const middle = Math.ceil(orders.length / 2);
  for (const part of [orders.slice(0, middle), orders.slice(middle)]) {
    const isAlone = part.length === 1;
    if (isAlone || (await placeAll({ saleId, orders: part })).status === 'does_not_fit') {
      await placeParts(saleId, part);
    }
  }
}

/** `fresh`: this call wrote all of them. `repeated`: some had been written before. `does_not_fit`: nothing has changed. */
type Placement =
  | { status: 'fresh'; deadlineAt: number }
  | { status: 'repeated' }
  | { status: 'does_not_fit' };

async function placeAll({ saleId, orders }: OrderBatch): Promise<Placement> {
  try {
    const { count, deadlineAt } = await writeOrders(saleId, orders, DEFAULT_PROVIDER);
    return count === orders.length ? { status: 'fresh', deadlineAt } : { status: 'repeated' };
  } catch (error) {
    if (isDataError(error)) return { status: 'does_not_fit' };
    throw error;
  }
}
