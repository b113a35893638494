import { z } from 'zod';
import { type AcceptedOrder, acceptedOrderSchema, idSchema } from './accepted-order';

/**
 * The most orders in one event, and in one transaction. Only a backlog fills it. Five hundred of the longest orders
 * are 95 KB; Inngest takes events of 256 KiB.
 */
export const MAX_BATCH = 500;

/** Accepted purchases of one sale. */
export type OrderBatch = { saleId: string; orders: AcceptedOrder[] };

// One line per order: number, user, units, token, epoch, time (epoch ms). As objects, an event would be twice as
// long, and the five readers and writers on its way to Postgres would handle twelve names and values per order
// instead of one.
const LINE = /^[1-9]\d{0,18} [\w-]{1,64} [1-9]\d{0,9} [\w-]{1,64} \d{1,10} \d{1,16}$/;

/** The data of the event `orders/accepted`. */
export const packedBatchSchema = z.object({
  saleId: idSchema,
  orders: z.array(z.string().regex(LINE, 'must be an order in one line')).min(1).max(MAX_BATCH),
});

export type PackedBatch = z.output<typeof packedBatchSchema>;

/** Packs orders into the form they travel in. */
export function packBatch(saleId: string, orders: readonly AcceptedOrder[]): PackedBatch {
  return {
    saleId,
    orders: orders.map(({ orderNo, userId, quantity, jti, epoch, acceptedAt }) =>
      [orderNo, userId, quantity, jti, epoch, acceptedAt].join(' '),
    ),
  };
}

/** Unpacks what `packBatch` wrote. @throws ZodError if a line is no order. */
export function unpackBatch({ saleId, orders }: PackedBatch): OrderBatch {
  return {
    saleId,
    orders: orders.map((line) => {
      const [orderNo, userId, quantity, jti, epoch, acceptedAt] = line.split(' ');
      const numbers = { quantity: Number(quantity), epoch: Number(epoch), acceptedAt: Number(acceptedAt) };
      return acceptedOrderSchema.parse({ orderNo, userId, jti, ...numbers });
    }),
  };
}
