import { z } from 'zod';
import { SALE_PHASES, SALE_STATUSES } from '../words/sale';
import { saleTitles } from './by-language';
import { campaignLink } from './campaign';
import { count, currency, money, time, units } from './common';
import { fingerprint } from './fingerprint';
import { saleLimits } from './limit';
import { lineState } from './line';
import { plainSaleFields, saleCurrency } from './sale-fields';
import { variants } from './variant';

export const phase = z.enum(SALE_PHASES);

const reservationWindow = z.object({ opensAt: time, closesAt: time });

/** When a sale takes reservations: from `opensAt` on, until just before `closesAt`. */
export type ReservationWindow = z.output<typeof reservationWindow>;

const stock = z.object({ total: units, available: units });

/** The stock as shoppers see it. */
export type StockView = z.output<typeof stock>;

export const saleState = z
  .object({
    saleId: z.string(),
    status: phase,
    serverTime: time.describe('The clock that decides: of Redis, or of Postgres where that holds the stock.'),
    startsAt: time,
    endsAt: time,
    entryOpensAt: time,
    reservation: reservationWindow
      .extend({ reserved: count.describe('How many have reserved.') })
      .optional()
      .describe('Only where the sale takes reservations.'),
    line: lineState.optional().describe('Only where the sale has a waiting room or a draw.'),
    stock: stock.extend({
      variants: z
        .array(count)
        .optional()
        .describe('Units left of each variant, in order; only where the sale has some.'),
    }),
    paused: z
      .boolean()
      .describe(
        'Whether the merchant has paused it; before the start, too, while `status` is still `scheduled`.',
      ),
    gate: z.string().nullable().describe('Part of the purchase address; null until the sale is open.'),
    soldOutAt: time.nullable(),
  })
  .meta({ id: 'SaleState' });

export type SaleState = z.output<typeof saleState>;

export const liveSale = z
  .object({
    saleId: z.string(),
    slug: z.string(),
    title: z.string(),
    titles: saleTitles,
    imageUrl: z.string().nullable(),
    priceMinor: money,
    listPriceMinor: money.nullable(),
    currency,
    startsAt: time,
    endsAt: time,
    reservation: reservationWindow.nullable(),
    campaign: campaignLink.nullable(),
    admission: plainSaleFields.admission,
    status: phase,
    paused: z
      .boolean()
      .describe(
        'Whether the merchant has paused it; before the start, too, while `status` is still `scheduled`.',
      ),
    stock,
  })
  .meta({ id: 'ListedSale' });

/** A sale of the list as shoppers see it. */
export type LiveSale = z.output<typeof liveSale>;

export const sale = z
  .object({
    ...plainSaleFields,
    saleId: z.string(),
    slug: z.string(),
    merchantId: z.string(),
    imageUrl: z.string().nullable(),
    productName: z.string(),
    description: z.string(),
    attributes: z.record(z.string(), z.string()),
    currency,
    startsAt: time,
    endsAt: time.describe('As planned, or when it was closed before.'),
    entryOpensAt: time,
    reservation: reservationWindow
      .nullable()
      .describe('Null: anybody may buy; else only those who reserve in this window.'),
    campaign: campaignLink.nullable().describe('The campaign to which it belongs.'),
    variants: variants.describe('In order, so that the first has number 1; empty: it has none.'),
    status: z.enum(SALE_STATUSES),
    paused: z.boolean(),
    waitlistClosed: z.boolean().describe('Whether nobody else may join the waitlist.'),
    limits: saleLimits.nullable(),
    epoch: z.int().describe('Which loading of the stock in Redis is valid.'),
    sliceEpochs: z.array(z.int()).describe('Of a split sale: which loading of each slice is valid.'),
    version: z.int(),
  })
  .meta({ id: 'Sale' });

/**
 * The facts about a sale that need no look at its stock. Those of published and closed sales are cached in Redis and
 * in the process.
 */
export type SaleInfo = z.output<typeof sale>;

/** Changes whenever a sale's fields change, so that a process never reads a cached sale with other fields. */
export const SALE_SHAPE = fingerprint(Object.keys(sale.shape));

export const publicCampaign = z
  .object({
    campaign: campaignLink,
    sales: z.array(liveSale).describe('Its published and closed sales, the first start first.'),
  })
  .meta({ id: 'PublicCampaign' });

export const adminSale = sale
  .extend({
    phase: phase
      .nullable()
      .describe('By the clock; whether it is sold out is on its live view. Null for drafts.'),
  })
  .meta({ id: 'AdminSale' });

export type AdminSale = z.output<typeof adminSale>;

export const editableSale = sale
  .omit({ slug: true, merchantId: true, imageUrl: true, productName: true, description: true })
  .omit({
    attributes: true,
    paused: true,
    waitlistClosed: true,
    epoch: true,
    sliceEpochs: true,
    campaign: true,
  })
  .extend({
    productId: z.string(),
    campaignId: z.string().nullable(),
    currency: saleCurrency,
    version: z.int().describe('What an edit is based on.'),
  })
  .meta({ id: 'EditableSale' });

/** A sale as its editor needs it. */
export type EditableSale = z.output<typeof editableSale>;

export const tiers = z
  .object({ total: units, available: units, held: count, sold: count })
  .meta({ id: 'StockTiers' });

/** The three tiers and their sum. Unlimited: `total` and `available` are −1. */
export type StockTiers = z.output<typeof tiers>;
