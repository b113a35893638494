import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';

/** Epoch milliseconds. */
export const time = z.int().describe('Epoch milliseconds.');
/** Minor units of a currency. */
export const money = z.int().describe('Minor units of the currency: cents.');
export const currency = z.string().describe('ISO 4217.');
export const count = z.int();
export const units = z.int().describe('−1 = unlimited.');
export const orderStatus = z.enum(['queued', 'pending_payment', 'paid', 'cancelled', 'refunded', 'failed']);
export const errorCode = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);

/** One page of a list: `{[name]: […], nextCursor}`. */
export const pageOf = <N extends string, T extends z.ZodType>(name: N, item: T) =>
  z.object({
    [name]: z.array(item),
    nextCursor: z.string().nullable().describe('Of the next page; null: this is the last.'),
  } as Record<N, z.ZodArray<T>> & { nextCursor: z.ZodNullable<z.ZodString> });
