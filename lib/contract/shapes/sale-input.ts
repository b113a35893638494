import { z } from 'zod';
import {
  CHALLENGE_ALTERNATIVES,
  DESK_SALE_STATES,
  ON_STOCK_OUTAGE,
  SALE_CHALLENGES,
  SALE_ORDERS,
  SALE_STRATEGIES,
} from '../words/sale';
import { filterTime, LATEST_MS, reason } from './common';
import { givenLimits } from './limit';

/** ISO 4217 codes that Intl can format here. */
const CURRENCIES = Intl.supportedValuesOf('currency') as [string, ...string[]];
export const saleCurrency = z.enum(CURRENCIES, 'an ISO 4217 currency code');

const MAX_MINOR = 1_000_000_000;
const MAX_STOCK = 1_000_000_000;
const MAX_LIMIT = 1000;
const MAX_ACCOUNT_AGE_SEC = 10 * 365 * 24 * 3600;
const DEFAULT_ENTRY_LEAD_MS = 10 * 60 * 1000;

// The order number's clock would last until 2095.
const timeMs = z.number().int().min(0).max(LATEST_MS);
const priceMinor = z.number().int().min(1).max(MAX_MINOR);

/** What a sale is made of, before the usual values are filled in. */
const fields = {
  productId: z.string().min(1).max(64),
  title: z.string().trim().min(1).max(200),
  priceMinor,
  listPriceMinor: priceMinor.nullish(),
  currency: saleCurrency,
  totalStock: z.number().int().min(-1).max(MAX_STOCK),
  limitPerUser: z.number().int().min(1).max(MAX_LIMIT),
  startsAt: timeMs,
  endsAt: timeMs,
  entryOpensAt: timeMs,
  paymentWindowSec: z.number().int().min(5).max(604_800),
  minLevel: z.number().int().min(0).max(1000),
  minAccountAgeSec: z.number().int().min(0).max(MAX_ACCOUNT_AGE_SEC),
  requireVerifiedEmail: z.boolean(),
  challenge: z.enum(SALE_CHALLENGES),
  challengeAlternative: z
    .enum(CHALLENGE_ALTERNATIVES)
    .describe("What whoever can't do a puzzle may do: another one, or also have the browser calculate."),
  strategy: z.enum(SALE_STRATEGIES),
  onStockOutage: z.enum(ON_STOCK_OUTAGE),
  reservation: z.object({ opensAt: timeMs, closesAt: timeMs }).nullish(),
  limits: givenLimits,
};

export const newSale = z
  .object({
    ...fields,
    entryOpensAt: fields.entryOpensAt.optional(),
    paymentWindowSec: fields.paymentWindowSec.default(900),
    minLevel: fields.minLevel.default(0),
    minAccountAgeSec: fields.minAccountAgeSec.optional(),
    requireVerifiedEmail: fields.requireVerifiedEmail.optional(),
    challenge: fields.challenge.default('none'),
    challengeAlternative: fields.challengeAlternative.default('puzzle'),
    strategy: fields.strategy.optional(),
    onStockOutage: fields.onStockOutage.default('closed'),
    limits: fields.limits.optional(),
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

/** As it is sent. */
export type NewSale = z.input<typeof newSale>;
/** As it is meant, with the usual values filled in. */
export type CreateSaleInput = z.output<typeof newSale>;

/** Some of a sale's fields, and the version the editor saw. How they go together is looked at with those that stay. */
export const saleEdit = z
  .strictObject({ ...fields, version: z.number().int().min(1) })
  .partial()
  .required({ version: true });
/** As it is sent. */
export type SaleEdit = z.input<typeof saleEdit>;
export type EditSaleInput = z.output<typeof saleEdit>;

export const restock = z.object({
  delta: z
    .number()
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .refine((value) => value !== 0, 'must not be 0'),
  reason,
  requestId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/)
    .optional()
    .describe('A name of your own for this change: the same again changes nothing.'),
});

/** Which sales the desk lists; what is left out is not asked for. */
export const saleFilter = z.object({
  status: z.enum(DESK_SALE_STATES).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("Part of the title or of the product's name, or a whole id or slug."),
  from: filterTime.optional().describe('Sales that run at some moment between the two.'),
  to: filterTime.optional(),
  sort: z.enum(SALE_ORDERS).default('newest'),
});
export type SaleFilter = z.output<typeof saleFilter>;
