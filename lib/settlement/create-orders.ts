import 'server-only';
import { isDataError } from '@/lib/db/sql-state';
import { log } from '@/lib/http/log';
import { saleIdsOf } from '@/lib/ids/sale-ids-of';
import { countWritten } from '@/lib/metrics/delay-meter';
import type { SaleOrder } from '@/lib/order/records/insert-sql';
import { readBatch } from '@/lib/order/records/read-batch';
import { writeOrders } from '@/lib/order/records/write-orders';
import type { AcceptedOrder } from '@/lib/outbox/accepted-order';
import type { OrderBatch } from '@/lib/outbox/order-batch';
import { takers } from '@/lib/payment/providers/providers';
import { isTracing, recordSpan, spanClock } from '@/lib/trace/record-span';
import { placeOrder } from './place-order';
import { releaseDeadLetters } from './release-dead-letters';
import { settleReleased } from './settle-released';

type CreatedOrders = {
  /** Orders that wait for payment, including those an earlier delivery wrote. */
  orderNos: string[];
  /** The latest deadline among them for each sale that has any, epoch ms. */
  deadlines: Map<string, number>;
};

/**
 * Turns accepted purchases (at most 500) of one or several sales into orders, in one statement. If some of them make it
 * fail, halves them until the failing ones stand alone: these are recorded as failed and their units given back, the
 * rest is written. A repeated delivery changes nothing and gets the same answer.
 * @throws errors that another attempt may not meet: connection errors, serialization failures.
 */
export async function createOrders(...batches: OrderBatch[]): Promise<CreatedOrders> {
  const beganAt = spanClock();
  const orders = batches
    .flatMap(({ saleId, orders }) => orders.map((order) => ({ ...order, saleId })))
    // Sorted, so that two overlapping deliveries take their locks in the same order.
    .sort(byNumber);
  const placement = await placeAll(orders);
  if (placement.status === 'fresh') {
    countWritten(orders);
    const orderNos = orders.map(({ orderNo }) => orderNo);
    log.info({ saleIds: saleIdsOf(orders), orderNos }, 'orders written');
    for (const { jti, orderNo, saleId } of isTracing() ? orders : [])
      recordSpan('write order', jti, beganAt, { saleId, orderNo, 'db.system': 'postgresql' });
    return { orderNos, deadlines: placement.deadlines };
  }
  if (placement.status === 'does_not_fit') await placeParts(orders);
  const created: CreatedOrders = { orderNos: [], deadlines: new Map() };
  for (const { saleId, orders } of batches) {
    const orderNos = orders.map(({ orderNo }) => orderNo);
    const { pending, deadlineAt, unsettled } = await readBatch(saleId, orderNos);
    await settleReleased(unsettled);
    await releaseDeadLetters(orderNos);
    created.orderNos.push(...pending);
    if (deadlineAt !== null) created.deadlines.set(saleId, deadlineAt);
  }
  return created;
}

/**
 * Compares as numbers without converting: the strings are decimal digits without leading zeros, so the shorter one is
 * smaller.
 */
function byNumber({ orderNo: a }: AcceptedOrder, { orderNo: b }: AcceptedOrder): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/**
 * Writes orders in parts, after writing them as a whole has failed. Halving makes one faulty order cost some twenty
 * statements instead of five hundred. The first half goes first: if too little stock is left, the same orders get
 * it as if written one by one.
 */
async function placeParts(orders: readonly SaleOrder[]): Promise<void> {
  const [only] = orders;
  if (only && orders.length === 1) {
    const { saleId, ...order } = only;
    await placeOrder(saleId, order);
    return;
  }
  const middle = Math.ceil(orders.length / 2);
  for (const part of [orders.slice(0, middle), orders.slice(middle)]) {
    const isAlone = part.length === 1;
    if (isAlone || (await placeAll(part)).status === 'does_not_fit') await placeParts(part);
  }
}

/** `fresh`: this call wrote all of them. `repeated`: some had been written before. `does_not_fit`: nothing has changed. */
type Placement =
  | { status: 'fresh'; deadlines: Map<string, number> }
  | { status: 'repeated' }
  | { status: 'does_not_fit' };

async function placeAll(orders: readonly SaleOrder[]): Promise<Placement> {
  try {
    const { count, deadlines } = await writeOrders(orders, takers());
    return count === orders.length ? { status: 'fresh', deadlines } : { status: 'repeated' };
  } catch (error) {
    if (isDataError(error)) return { status: 'does_not_fit' };
    throw error;
  }
}
