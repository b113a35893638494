import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { ORDER_STATUSES } from '../words/order';
import { MAX_REASON_LENGTH } from '../words/reason';

/** The year 2100, epoch ms: nobody means a later moment. */
export const LATEST_MS = 4_102_444_800_000;
const PAGE_LIMIT = { default: 20, max: 100 };

/** Epoch milliseconds. */
export const time = z.int().describe('Epoch milliseconds.');
/** Minor units of a currency. */
export const money = z
  .int()
  .describe(
    'Minor units of the currency by ISO 4217: 199000 is 1,990.00 USD or HUF, 199.000 KWD, 199,000 JPY.',
  );
export const currency = z.string().describe('ISO 4217.');
export const taxRate = z
  .int()
  .min(0)
  .max(10_000)
  .describe('The tax that a price includes, in hundredths of a percent: 1900 is 19 %.');
export const count = z.int();
export const units = z.int().describe('−1 = unlimited.');
export const orderStatus = z.enum(ORDER_STATUSES);
export const errorCode = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

/** One page of a list: `{[name]: […], nextCursor}`. */
export const pageOf = <N extends string, T extends z.ZodType>(name: N, item: T) =>
  z.object({
    [name]: z.array(item),
    nextCursor: z.string().nullable().describe('Of the next page; null: this is the last.'),
  } as Record<N, z.ZodArray<T>> & { nextCursor: z.ZodNullable<z.ZodString> });

/** `?cursor=&limit=` of a list. */
export const page = z.object({
  cursor: z
    .string()
    .max(200)
    .regex(/^[\w-]+$/, 'is not a cursor of ours')
    .optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT.max).default(PAGE_LIMIT.default),
});
export type Page = z.output<typeof page>;

/** A moment in a filter, epoch milliseconds. */
export const filterTime = z.coerce.number().int().min(0).max(LATEST_MS);

/** A client's own name for a change that it may have to send again. */
export const requestId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/)
  .optional()
  .describe(
    'A name of your own for this change: the same again changes nothing, and gets the same answer; with other content it is refused.',
  );

/** Why a person does something that others will ask about. */
export const reason = z.string().trim().min(1).max(MAX_REASON_LENGTH);
/** The body of a change that needs only a reason. */
export const reasonBody = z.object({ reason });

/** The shop that a new thing belongs to. */
export const forShop = z
  .string()
  .max(64)
  .optional()
  .describe('The shop it belongs to; left out: the one the caller joined first, or their own.');

/** The most characters of an imported file. */
const MAX_CHARS = 1024 * 1024;
/** As JSON a file takes more bytes than it has characters. */
export const MAX_IMPORT_BYTES = 4 * MAX_CHARS;
/** The text of an imported file. */
export const csvFile = z.string().max(MAX_CHARS);
