import 'server-only';
import type { AdminOrder, OrderFilter } from '@/lib/contract/shapes/order';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { type Actor, isAllowedTo, shownShop } from '../actor';
import { csvLine } from '../blocks/csv';
import { readAdminOrders } from './list-admin-orders';

const BATCH = 1_000;

const COLUMNS = [
  'order_no',
  'sale_id',
  'sale',
  'user_id',
  'email',
  'quantity',
  'unit_price_minor',
  'amount_minor',
  'currency',
  'status',
  'end_reason',
  'payment',
  'bought_at',
  'written_at',
  'pay_by',
  'paid_at',
  'cancelled_at',
];

/**
 * Yields orders as CSV, newest first, in pieces of at most 1,000 lines. Reads a piece only when the one before has
 * been taken, so a hundred thousand orders need no more memory than a thousand. Times as ISO 8601 (UTC), money in
 * minor units. Breaks off if the actor loses the right meanwhile.
 */
export async function* exportOrders(actor: Actor, filter: OrderFilter): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  const shopId = await shownShop(actor);
  const reader = shopId === null ? actor : { ...actor, shopId };
  for (let below: bigint | undefined; ; ) {
    // Else the rest would be another shop's: the next one of somebody who has been removed meanwhile.
    if (shopId && !(await isAllowedTo(actor, shopId, 'export'))) throw new NotAllowedError('export');
    const orders = await readAdminOrders(reader, filter, { below, limit: BATCH });
    if (orders.length > 0) yield orders.map(toLine).join('');
    const last = orders.at(-1);
    if (!last || orders.length < BATCH) return;
    below = BigInt(last.orderNo);
  }
}

const time = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString());

const toLine = (order: AdminOrder): string =>
  csvLine([
    order.orderNo,
    order.saleId,
    order.saleTitle,
    order.userId,
    order.email,
    String(order.quantity),
    String(order.unitPriceMinor),
    String(order.amountMinor),
    order.currency,
    order.status,
    order.endReason ?? '',
    order.paymentStatus ?? '',
    time(order.acceptedAt),
    time(order.createdAt),
    time(order.payBy),
    time(order.paidAt),
    time(order.cancelledAt),
  ]);
