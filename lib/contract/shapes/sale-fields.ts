import { z } from 'zod';
import { SALE_PROVIDERS } from '../words/payment';
import {
  CHALLENGE_ALTERNATIVES,
  DRAW_WEIGHTS,
  ON_STOCK_OUTAGE,
  SALE_ADMISSIONS,
  SALE_CHALLENGES,
  SALE_NUMBERS,
  SALE_STRATEGIES,
  type SaleNumber,
} from '../words/sale';
import { saleTitle, saleTitles } from './by-language';
import { withoutDefaults } from './without-defaults';

/** ISO 4217 codes that Intl can format here. */
const CURRENCIES = Intl.supportedValuesOf('currency') as [string, ...string[]];
export const saleCurrency = z.enum(CURRENCIES, 'an ISO 4217 currency code');

const MAX_MINOR = 1_000_000_000;
export const MAX_STOCK = 1_000_000_000;
const priceMinor = z
  .number()
  .int()
  .min(1)
  .max(MAX_MINOR)
  .describe('Minor units of the currency by ISO 4217.');

type NumberField<U> = U extends number ? z.ZodDefault<z.ZodNumber> : z.ZodNumber;
type NumberFields = { [N in SaleNumber]: NumberField<(typeof SALE_NUMBERS)[N]['usual']> };

const numbers = Object.fromEntries(
  Object.entries(SALE_NUMBERS).map(([name, { min, max, usual, says }]) => {
    const field = z.number().int().min(min).max(max).describe(says);
    return [name, usual === null ? field : field.default(usual)];
  }),
) as NumberFields;

/**
 * The fields of a sale that a merchant enters and that a column of the same name stores unchanged, with their default
 * values. Select, insert, edit and views follow from this list. Moments, the reservation window and the rate limits
 * are stored in a different form.
 */
export const saleFields = {
  title: saleTitle,
  titles: saleTitles.default({}),
  priceMinor,
  listPriceMinor: priceMinor.nullable().default(null),
  currency: saleCurrency,
  totalStock: z.number().int().min(-1).max(MAX_STOCK).describe('−1 = unlimited.'),
  provider: z
    .enum(SALE_PROVIDERS)
    .describe('Takes the money; `usual`: the provider of the shop, also where this one is not set up.')
    .default('usual'),
  ...numbers,
  requireVerifiedEmail: z.boolean().default(false),
  challenge: z.enum(SALE_CHALLENGES).default('none'),
  challengeAlternative: z
    .enum(CHALLENGE_ALTERNATIVES)
    .describe("What whoever can't do a puzzle may do: another one, or also have the browser calculate.")
    .default('puzzle'),
  strategy: z.enum(SALE_STRATEGIES).default('script'),
  onStockOutage: z.enum(ON_STOCK_OUTAGE).default('closed'),
  admission: z.enum(SALE_ADMISSIONS).describe('How the sale admits people.').default('first_come'),
  waitlist: z
    .boolean()
    .describe('Whether released units go to those who wait for them; with a draw always.')
    .default(false),
  drawWeights: z.enum(DRAW_WEIGHTS).describe('What raises a chance in a draw.').default('equal'),
  onePlacePerDevice: z
    .boolean()
    .describe('Whether a device has one place in a line or draw only.')
    .default(false),
};
type SaleField = keyof typeof saleFields;

/** The same fields as they are edited, stored and shown: without default values. */
export const plainSaleFields = withoutDefaults(saleFields);
export type PlainSaleFields = { [F in SaleField]: z.output<(typeof plainSaleFields)[F]> };

type UsualField = { [F in SaleField]: (typeof saleFields)[F] extends z.ZodDefault ? F : never }[SaleField];

/** The values of a sale for which its merchant enters nothing. */
export const usualSaleFields = Object.fromEntries(
  Object.entries(saleFields).flatMap(([name, field]) =>
    field instanceof z.ZodDefault ? [[name, field.parse(undefined)]] : [],
  ),
) as Pick<PlainSaleFields, UsualField>;

const NAMES = Object.keys(saleFields) as SaleField[];

/** Picks these fields from an object that has more. */
export const saleFieldsOf = <T extends Record<SaleField, unknown>>(from: T): Pick<T, SaleField> =>
  Object.fromEntries(NAMES.map((name) => [name, from[name]])) as Pick<T, SaleField>;
