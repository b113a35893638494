import { z } from 'zod';
import { decodeOrderNo, parseOrderNo } from '@/lib/ids/order-no';

const INT4_MAX = 2_147_483_647;

/** An order number outside the code: 1 to 19 decimal digits, at most 63 bits. */
export const orderNoSchema = z
  .string()
  .refine((text) => parseOrderNo(text) !== null, 'must be a decimal order number of at most 63 bits');

/** The shape of every id that goes into Redis. */
export const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

/** A whole number from 0, which travels as its digits. */
const whole = (max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value),
    z.number().int().min(0).max(max),
  );

/** A purchase that Redis has accepted, on its way to becoming an order; numbers may be digits. Times in ms. */
export const acceptedOrderSchema = z.object({
  orderNo: orderNoSchema,
  userId: idSchema,
  quantity: whole(INT4_MAX).refine((units) => units > 0, 'must be 1 or more'),
  /** Id of the entry token that bought it. */
  jti: idSchema,
  /** Which loading of the stock accepted it. */
  epoch: whole(INT4_MAX),
  acceptedAt: whole(8.64e15),
});

export type AcceptedOrder = z.output<typeof acceptedOrderSchema>;

const FIELDS = acceptedOrderSchema.keyof().options;

/** How an accepted purchase looks in one line: its fields as words, in the order of the schema. */
export const ORDER_LINE = /^[1-9]\d{0,18} [\w-]{1,64} [1-9]\d{0,9} [\w-]{1,64} \d{1,10} \d{1,16}$/;

/** Formats an accepted purchase as one line. */
export const orderLine = (order: AcceptedOrder): string => FIELDS.map((field) => order[field]).join(' ');

/** Returns the fields of an accepted purchase, named as in the outbox, in turn with their values. */
export const orderEntry = (order: AcceptedOrder): (string | number)[] =>
  FIELDS.flatMap((field) => [field, order[field]]);

/** An accepted purchase as it travels: an object, an entry of the outbox, or a line. */
export const travellingOrder = z.preprocess((order) => {
  if (typeof order !== 'string') return order;
  const words = order.split(' ');
  return Object.fromEntries(FIELDS.map((field, at) => [field, words[at]]));
}, acceptedOrderSchema);

/**
 * Returns the order to be made of a purchase that Redis has accepted.
 * @param acceptedAt ms by Redis's clock; left out where nobody knows it any more: then the moment its number was issued
 */
export const acceptedOf = (
  { orderNo, userId, quantity, jti, epoch }: Omit<AcceptedOrder, 'acceptedAt'>,
  acceptedAt = decodeOrderNo(BigInt(orderNo)).atMs,
): AcceptedOrder => ({ orderNo, userId, quantity, jti, epoch, acceptedAt });
