import { z } from 'zod';
import { CURRENCIES } from './currencies';
import { SALE_CHALLENGES, SALE_STRATEGIES } from './types';

const MAX_MINOR = 1_000_000_000;
const MAX_STOCK = 1_000_000_000;
const MAX_LIMIT = 1000;
const DEFAULT_ENTRY_LEAD_MS = 10 * 60 * 1000;
// The year 2100: the order number's clock would last until 2095.
const MAX_TIME_MS = 4_102_444_800_000;

const timeMs = z.number().int().min(0).max(MAX_TIME_MS);
const priceMinor = z.number().int().min(1).max(MAX_MINOR);
/** Fields of parts that are not built yet: refused rather than silently ignored. */
const notYet = (what: string) => z.undefined({ error: `${what} are not available yet` }).optional();

export const createSaleSchema = z
  .object({
    productId: z.string().min(1).max(64),
    title: z.string().trim().min(1).max(200),
    priceMinor,
    listPriceMinor: priceMinor.nullish(),
    currency: z.enum(CURRENCIES, 'an ISO 4217 currency code'),
    totalStock: z.number().int().min(-1).max(MAX_STOCK),
    limitPerUser: z.number().int().min(1).max(MAX_LIMIT),
    startsAt: timeMs,
    endsAt: timeMs,
    entryOpensAt: timeMs.optional(),
    paymentWindowSec: z.number().int().min(5).max(604_800).default(900),
    minLevel: z.number().int().min(0).max(1000).default(0),
    challenge: z.enum(SALE_CHALLENGES).default('none'),
    strategy: z.enum(SALE_STRATEGIES).optional(),
    onStockOutage: z
      .literal('closed', 'selling through the database is not available yet; use "closed"')
      .default('closed'),
    reservation: notYet('reservations'),
    limits: notYet('rate limits'),
  })
  .transform((input) => ({
    ...input,
    listPriceMinor: input.listPriceMinor ?? null,
    entryOpensAt: input.entryOpensAt ?? Math.max(0, input.startsAt - DEFAULT_ENTRY_LEAD_MS),
  }))
  .superRefine((input, context) => {
    const wrong = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (input.endsAt <= input.startsAt) wrong('endsAt', 'must be after startsAt');
    if (input.entryOpensAt > input.startsAt) wrong('entryOpensAt', 'must not be after startsAt');
    if (input.listPriceMinor !== null && input.listPriceMinor < input.priceMinor) {
      wrong('listPriceMinor', 'must not be below priceMinor');
    }
    if (input.priceMinor * input.limitPerUser > 2_147_483_647)
      wrong('limitPerUser', 'price times limit is too large');
  });

export type CreateSaleInput = z.output<typeof createSaleSchema>;

export const restockSchema = z.object({
  delta: z
    .number()
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .refine((value) => value !== 0, 'must not be 0'),
  reason: z.string().trim().min(1).max(500),
});
