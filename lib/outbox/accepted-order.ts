import { z } from 'zod';
import { parseOrderNo } from '@/lib/ids/order-no';

const INT4_MAX = 2_147_483_647;

/** An order number outside the code: 1 to 19 decimal digits, at most 63 bits. */
export const orderNoSchema = z
  .string()
  .refine((text) => parseOrderNo(text) !== null, 'must be a decimal order number of at most 63 bits');

/** The shape of every id that goes into Redis. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

/** A purchase that Redis has accepted, on its way to becoming an order. Times in ms. */
export const acceptedOrderSchema = z.object({
  orderNo: orderNoSchema,
  userId: idSchema,
  quantity: z.number().int().min(1).max(INT4_MAX),
  /** Id of the entry token that bought it. */
  jti: idSchema,
  /** Which loading of the stock accepted it. */
  epoch: z.number().int().min(0).max(INT4_MAX),
  acceptedAt: z.number().int().min(0).max(8.64e15),
});

export type AcceptedOrder = z.output<typeof acceptedOrderSchema>;
