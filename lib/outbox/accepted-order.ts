import { z } from 'zod';
import { MAX_VARIANTS } from '@/lib/contract/words/variant';
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
  /** The number of the sale's variant; left out: it has none. */
  variant: z.number().int().min(1).max(MAX_VARIANTS).optional(),
});

export type AcceptedOrder = z.output<typeof acceptedOrderSchema>;

const FIELDS = acceptedOrderSchema.keyof().options;
const IS_TEXT = new Set<keyof AcceptedOrder>(['orderNo', 'userId', 'jti']);
const WHOLE = /^\d{1,16}$/;

/** How an accepted purchase looks in one line: its fields as words, in the order of the schema. */
export const ORDER_LINE =
  /^[1-9]\d{0,18} [\w-]{1,64} [1-9]\d{0,9} [\w-]{1,64} \d{1,10} \d{1,16}(?: [1-9]\d?)?$/;

/** Returns the names of the fields that an accepted purchase has. */
const fieldsOf = ({ variant }: AcceptedOrder) => (variant ? FIELDS : FIELDS.slice(0, -1));

/** Formats an accepted purchase as one line. */
export const orderLine = (order: AcceptedOrder): string =>
  fieldsOf(order)
    .map((field) => order[field])
    .join(' ');

/** Returns the fields of an accepted purchase, named as in the outbox, in turn with their values. */
export const orderEntry = (order: AcceptedOrder): (string | number)[] =>
  fieldsOf(order).flatMap((field) => [field, order[field] as string | number]);

/** Returns an accepted purchase whose fields are texts, for the schema to judge: what should be digits and is not is NaN. */
function fromTexts(textOf: (field: keyof AcceptedOrder, at: number) => string | undefined) {
  const order: Record<string, unknown> = {};
  for (let at = 0; at < FIELDS.length; at += 1) {
    const field = FIELDS[at] as keyof AcceptedOrder;
    const text = textOf(field, at);
    if (field === 'variant' && text === undefined) continue;
    order[field] = IS_TEXT.has(field) ? text : text && WHOLE.test(text) ? Number(text) : Number.NaN;
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
  { orderNo, userId, quantity, jti, epoch, variant }: Omit<AcceptedOrder, 'acceptedAt'>,
  acceptedAt = decodeOrderNo(BigInt(orderNo)).atMs,
): AcceptedOrder =>
  variant
    ? { orderNo, userId, quantity, jti, epoch, acceptedAt, variant }
    : { orderNo, userId, quantity, jti, epoch, acceptedAt };
