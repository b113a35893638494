import { z } from 'zod';
import { decodeOrderNo, parseOrderNo } from '@/lib/ids/order-no';

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

const FIELDS = acceptedOrderSchema.keyof().options;
const IS_NUMBER = FIELDS.map((field) => acceptedOrderSchema.shape[field] instanceof z.ZodNumber);
const WHOLE = /^\d{1,16}$/;

/** How an accepted purchase looks in one line: its fields as words, in the order of the schema. */
export const ORDER_LINE = /^[1-9]\d{0,18} [\w-]{1,64} [1-9]\d{0,9} [\w-]{1,64} \d{1,10} \d{1,16}$/;

/** Formats an accepted purchase as one line. */
export const orderLine = (order: AcceptedOrder): string => FIELDS.map((field) => order[field]).join(' ');

/** Returns the fields of an accepted purchase, named as in the outbox, in turn with their values. */
export const orderEntry = (order: AcceptedOrder): (string | number)[] =>
  FIELDS.flatMap((field) => [field, order[field]]);

/** Returns an accepted purchase whose fields are texts, for the schema to judge: what should be digits and is not is NaN. */
function fromTexts(textOf: (field: keyof AcceptedOrder, at: number) => string | undefined) {
  const order: Record<string, unknown> = {};
  for (let at = 0; at < FIELDS.length; at += 1) {
    const field = FIELDS[at] as keyof AcceptedOrder;
    const text = textOf(field, at);
    order[field] = IS_NUMBER[at] ? (text && WHOLE.test(text) ? Number(text) : Number.NaN) : text;
  }
  return order;
}

/** Returns what an entry of the outbox says, for the schema to judge. */
export const fromEntry = (fields: Record<string, string>) => fromTexts((field) => fields[field]);

/** Returns what a line says, for the schema to judge. */
export function fromLine(line: string) {
  const words = line.split(' ');
  return fromTexts((_, at) => words[at]);
}

/**
 * Returns the order to be made of a purchase that Redis has accepted.
 * @param acceptedAt ms by Redis's clock; left out where nobody knows it any more: then the moment its number was issued
 */
export const acceptedOf = (
  { orderNo, userId, quantity, jti, epoch }: Omit<AcceptedOrder, 'acceptedAt'>,
  acceptedAt = decodeOrderNo(BigInt(orderNo)).atMs,
): AcceptedOrder => ({ orderNo, userId, quantity, jti, epoch, acceptedAt });
