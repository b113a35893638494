import { z } from 'zod';
import { CURRENCIES } from './currencies';
import { limitsSchema } from './limits-input';
import { ON_STOCK_OUTAGE, SALE_CHALLENGES, SALE_STRATEGIES } from './types';

const MAX_MINOR = 1_000_000_000;
const MAX_STOCK = 1_000_000_000;
const MAX_LIMIT = 1000;
const MAX_ACCOUNT_AGE_SEC = 10 * 365 * 24 * 3600;
const DEFAULT_ENTRY_LEAD_MS = 10 * 60 * 1000;
// The year 2100: the order number's clock would last until 2095.
const MAX_TIME_MS = 4_102_444_800_000;

const timeMs = z.number().int().min(0).max(MAX_TIME_MS);
const priceMinor = z.number().int().min(1).max(MAX_MINOR);

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
    minAccountAgeSec: z.number().int().min(0).max(MAX_ACCOUNT_AGE_SEC).optional(),
    requireVerifiedEmail: z.boolean().optional(),
    challenge: z.enum(SALE_CHALLENGES).default('none'),
    strategy: z.enum(SALE_STRATEGIES).optional(),
    onStockOutage: z.enum(ON_STOCK_OUTAGE).default('closed'),
    reservation: z.object({ opensAt: timeMs, closesAt: timeMs }).nullish(),
    limits: limitsSchema.optional(),
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
    if (input.reservation) {
      const { opensAt, closesAt } = input.reservation;
      if (closesAt <= opensAt) wrong('reservation.closesAt', 'must be after reservation.opensAt');
      else if (closesAt > input.startsAt) wrong('reservation.closesAt', 'must not be after startsAt');
    }
    if (input.listPriceMinor !== null && input.listPriceMinor < input.priceMinor) {
      wrong('listPriceMinor', 'must not be below priceMinor');
    }
    if (input.onStockOutage === 'database' && input.strategy !== undefined && input.strategy !== 'script') {
      const why = { database: 'sells through it anyway', lock: 'has no such way' }[input.strategy];
      wrong('onStockOutage', `"database" goes with the strategy "script" only; "${input.strategy}" ${why}`);
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
