import { z } from 'zod';
import { ADMISSIONS, DESK_SALE_STATES, SALE_ORDERS, STRATEGIES } from '../words/sale';
import { MAX_VARIANTS } from '../words/variant';
import { filterTime, LATEST_MS, reason, requestId } from './common';
import { givenLimits } from './limit';
import { MAX_STOCK, type PlainSaleFields, plainSaleFields, saleFields } from './sale-fields';
import { type Variant, variants } from './variant';

const DEFAULT_ENTRY_LEAD_MS = 10 * 60 * 1000;

// The clock in order numbers would last until 2095.
const timeMs = z.number().int().min(0).max(LATEST_MS);

/** The fields that the database stores in a different form. */
const otherFields = {
  productId: z.string().min(1).max(64),
  startsAt: timeMs,
  endsAt: timeMs,
  entryOpensAt: timeMs,
  reservation: z.object({ opensAt: timeMs, closesAt: timeMs }).nullish(),
  limits: givenLimits,
  campaignId: z.string().min(1).max(64).nullable(),
  variants,
};

export const newSale = z
  .object({
    ...saleFields,
    ...otherFields,
    entryOpensAt: otherFields.entryOpensAt.optional(),
    limits: otherFields.limits.optional(),
    campaignId: otherFields.campaignId.default(null),
    variants: variants.default([]),
    requestId,
  })
  .transform((input) => ({
    ...input,
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
    const strategy = STRATEGIES[input.strategy];
    const { isDrawn } = ADMISSIONS[input.admission];
    if (input.onStockOutage === 'database' && !strategy.canFallBack) {
      const why = strategy.stock === 'postgres' ? 'sells through it anyway' : 'has no such way';
      wrong('onStockOutage', `"database" goes with the strategy "script" only; "${input.strategy}" ${why}`);
    }
    if (input.slices > 1) {
      if (!strategy.canSplit) wrong('slices', `only the strategy "script" sells by slices`);
      if (input.onStockOutage !== 'closed')
        wrong('slices', "a split sale can't go over to Postgres in an outage");
      if (input.totalStock === -1) wrong('slices', "an unlimited stock can't be split");
      if (input.reservation) wrong('slices', "a sale with reservations can't be split");
    }
    if (isDrawn) {
      if (!input.waitlist)
        wrong('waitlist', 'a draw needs it: whoever did not win waits for what comes back');
      if (input.reservation) wrong('reservation', 'a draw takes none: entering it is one');
    }
    if (input.waitlist) {
      if (strategy.stock !== 'redis') wrong('waitlist', 'only a stock in Redis is given on');
      if (input.onStockOutage !== 'closed')
        wrong('waitlist', "a sale with a waitlist can't go over to Postgres in an outage");
      if (input.totalStock === -1) wrong('waitlist', 'nobody waits for an unlimited stock');
      if (input.slices > 1) wrong('waitlist', 'a split sale has no waitlist');
    }
    if (input.variants.length > 0) checkVariants(input, wrong);
    if (input.priceMinor * input.limitPerUser > 2_147_483_647)
      wrong('limitPerUser', 'price times limit is too large');
  });

type WithVariants = PlainSaleFields & { variants: readonly Variant[] };

/** Refuses what a sale with variants can't be. */
function checkVariants(input: WithVariants, wrong: (path: string, message: string) => void): void {
  const sum = input.variants.reduce((units, { stock }) => units + stock, 0);
  if (input.totalStock !== sum) wrong('totalStock', `must be the sum of its variants, ${sum}`);
  if (!STRATEGIES[input.strategy].canHaveVariants)
    wrong('strategy', 'only the strategy "script" sells variants');
  if (input.slices > 1) wrong('slices', "a sale with variants can't be split");
  if (input.onStockOutage !== 'closed')
    wrong('onStockOutage', "a sale with variants can't go over to Postgres in an outage");
}

/** A new sale as the client sends it. */
export type NewSale = z.input<typeof newSale>;
/** A new sale with its default values filled in. */
export type CreateSaleInput = z.output<typeof newSale>;

/** Some of a sale's fields, and the version the editor saw. The fields are checked later, together with those that stay. */
export const saleEdit = z
  .strictObject({ ...plainSaleFields, ...otherFields, version: z.number().int().min(1) })
  .partial()
  .required({ version: true });
/** An edit as the client sends it. */
export type SaleEdit = z.input<typeof saleEdit>;
export type EditSaleInput = z.output<typeof saleEdit>;

export const restock = z.object({
  delta: z
    .number()
    .int()
    .min(-MAX_STOCK)
    .max(MAX_STOCK)
    .refine((value) => value !== 0, 'must not be 0'),
  variant: z
    .number()
    .int()
    .min(1)
    .max(MAX_VARIANTS)
    .optional()
    .describe('Which variant, by its number; only where the sale has some, and there it must be given.'),
  reason,
  requestId,
});

/** Which sales the admin area lists; fields left out don't filter. */
export const saleFilter = z.object({
  status: z.enum(DESK_SALE_STATES).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe("Part of the title or of the product's name, in any language, or a whole id or slug."),
  from: filterTime.optional().describe('Sales that run at some moment between the two.'),
  to: filterTime.optional(),
  sort: z.enum(SALE_ORDERS).default('newest'),
});
export type SaleFilter = z.output<typeof saleFilter>;
