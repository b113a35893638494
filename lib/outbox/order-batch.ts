import { z } from 'zod';
import {
  type AcceptedOrder,
  acceptedOrderSchema,
  fromLine,
  idSchema,
  ORDER_LINE,
  orderLine,
} from './accepted-order';
import { groupBy } from './group-by';

/**
 * The most orders in one event, and in one transaction. Only a backlog fills it. Five hundred of the longest orders
 * are 95 KB; Inngest takes events of 256 KiB.
 */
export const MAX_BATCH = 500;

/** Accepted purchases of one sale. */
export type OrderBatch = { saleId: string; orders: AcceptedOrder[] };

// One line per order. As objects, an event would be twice as long, and the five readers and writers on its way to
// Postgres would handle twelve names and values per order instead of one.
const packedBatchSchema = z.object({
  saleId: idSchema,
  orders: z.array(z.string().regex(ORDER_LINE, 'must be an order in one line')).min(1).max(MAX_BATCH),
});

const countOf = (batches: readonly { orders: unknown[] }[]) =>
  batches.reduce((sum, { orders }) => sum + orders.length, 0);

/** The data of the event `orders/accepted`. */
export const packedOrdersSchema = z.union([
  z.object({
    batches: z
      .array(packedBatchSchema)
      .min(1)
      .refine((batches) => countOf(batches) <= MAX_BATCH, `must be ${MAX_BATCH} orders at most`),
  }),
  // Events named one sale before; such ones may still be under way after an upgrade.
  packedBatchSchema,
]);

/** Packs orders into the form they travel in. */
export function packOrders(batches: readonly OrderBatch[]): z.output<typeof packedOrdersSchema> {
  return { batches: batches.map(({ saleId, orders }) => ({ saleId, orders: orders.map(orderLine) })) };
}

/** Splits batches into two parts with half the orders each; a lone order stays one part. */
export function halveOrders(batches: readonly OrderBatch[]): OrderBatch[][] {
  const orders = batches.flatMap(({ saleId, orders }) => orders.map((order) => ({ saleId, order })));
  const middle = Math.ceil(orders.length / 2);
  return [orders.slice(0, middle), orders.slice(middle)]
    .filter((half) => half.length > 0)
    .map((half) =>
      [...groupBy(half, ({ saleId }) => saleId)].map(([saleId, ofSale]) => ({
        saleId,
        orders: ofSale.map(({ order }) => order),
      })),
    );
}

/** Unpacks what `packOrders` wrote, in this release or the one before. @throws ZodError if it is nothing of the kind. */
export function unpackOrders(data: unknown): OrderBatch[] {
  const packed = packedOrdersSchema.parse(data);
  const batches = 'batches' in packed ? packed.batches : [packed];
  return batches.map(({ saleId, orders }) => ({
    saleId,
    orders: orders.map((line) => acceptedOrderSchema.parse(fromLine(line))),
  }));
}
