import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import type { AdminOrder, OrderFilter } from '@/lib/contract/shapes/order';
import { ORDER_FILE_COLUMNS } from '@/lib/contract/words/order';
import { csvLine } from '@/lib/csv';
import { taxIn, toDecimal } from '@/lib/money';
import { readAdminOrders } from './list-admin-orders';

const BATCH = 1_000;

/**
 * Yields orders as CSV, newest first, in pieces of at most 1,000 lines. Reads a piece only when the one before has
 * been taken, so a hundred thousand orders need no more memory than a thousand, and nothing follows of a shop
 * that the actor has left. Times as ISO 8601 (UTC), money as
 * people write it: `19.90`.
 */
export async function* exportOrders(actor: Actor, filter: OrderFilter): AsyncGenerator<string> {
  yield csvLine(ORDER_FILE_COLUMNS);
  for (let below: bigint | undefined; ; ) {
    const orders = await readAdminOrders(await shopsOf(actor, 'export'), filter, { below, limit: BATCH });
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
    toDecimal(order.unitPriceMinor, order.currency),
    toDecimal(order.amountMinor, order.currency),
    order.currency,
    order.status,
    order.endReason ?? '',
    order.paymentStatus ?? '',
    time(order.acceptedAt),
    time(order.createdAt),
    time(order.payBy),
    time(order.paidAt),
    time(order.cancelledAt),
    toDecimal(order.refundedMinor, order.currency),
    order.delivery ?? '',
    order.variant === 0 ? '' : String(order.variant),
    order.variantName ?? '',
    toDecimal(order.shippingMinor, order.currency),
    order.taxRate === null ? '' : String(order.taxRate / 100),
    order.taxRate === null ? '' : toDecimal(taxIn(order.amountMinor, order.taxRate), order.currency),
  ]);
