import { z } from 'zod';

import type { SaleState } from '@/lib/checkout/read-state';
import type { LiveSale } from '@/lib/checkout/sale-list';
import type { DeskSale } from '@/lib/desk/list-desk-sales';
import type { Live, LivePoint } from '@/lib/desk/live/types';
import type { EditableSale } from '@/lib/desk/sales/read-desk-sale';
import { SENTENCE_CODES } from '@/lib/desk/verify/sentences';
import { LIMIT_ALGORITHMS } from '@/lib/redis/limit-policy';
import { CURRENCIES } from '@/lib/sale/currencies';
import {
  CHALLENGE_ALTERNATIVES,
  ON_STOCK_OUTAGE,
  SALE_CHALLENGES,
  SALE_STRATEGIES,
  type SaleInfo,
} from '@/lib/sale/types';
import { count, currency, errorCode, money, time, units } from './common';

const phase = z.enum(['scheduled', 'live', 'paused', 'sold_out', 'ended']);
const reservationWindow = z.object({ opensAt: time, closesAt: time });
const stock = z.object({ total: units, available: units });

export const saleState = z
  .object({
    saleId: z.string(),
    status: phase,
    serverTime: time.describe('The clock that decides whether the sale is open, epoch milliseconds.'),
    startsAt: time,
    endsAt: time,
    entryOpensAt: time,
    reservation: reservationWindow.extend({ reserved: count }).optional(),
    stock,
    gate: z.string().nullable().describe('Part of the purchase address; null until the sale is open.'),
    soldOutAt: time.nullable(),
  })
  .meta({ id: 'SaleState' }) satisfies z.ZodType<SaleState>;

export const liveSale = z
  .object({
    ...{ saleId: z.string(), slug: z.string(), title: z.string(), imageUrl: z.string().nullable() },
    ...{ priceMinor: money, listPriceMinor: money.nullable(), currency, startsAt: time, endsAt: time },
    reservation: reservationWindow.nullable(),
    status: phase,
    stock,
  })
  .meta({ id: 'ListedSale' }) satisfies z.ZodType<LiveSale>;

const policy = z.object({ algorithm: z.enum(LIMIT_ALGORITHMS), limit: count, windowSec: z.int() });

export const sale = z
  .object({
    ...{ saleId: z.string(), slug: z.string(), merchantId: z.string(), title: z.string() },
    ...{ imageUrl: z.string().nullable(), productName: z.string(), description: z.string() },
    attributes: z.record(z.string(), z.string()),
    ...{ priceMinor: money, listPriceMinor: money.nullable(), currency },
    totalStock: units,
    limitPerUser: z.int(),
    ...{ startsAt: time, endsAt: time, entryOpensAt: time },
    paymentWindowSec: z.int(),
    minLevel: z.int(),
    reservation: reservationWindow.nullable(),
    minAccountAgeSec: z.int(),
    requireVerifiedEmail: z.boolean(),
    status: z.enum(['draft', 'published', 'closed']),
    paused: z.boolean(),
    strategy: z.enum(SALE_STRATEGIES),
    limits: z
      .object({ user: policy.optional(), ip: policy.optional(), interface: policy.optional() })
      .nullable(),
    onStockOutage: z.enum(ON_STOCK_OUTAGE),
    challenge: z.enum(SALE_CHALLENGES),
    challengeAlternative: z.enum(CHALLENGE_ALTERNATIVES),
    epoch: z.int().describe('Which loading of the stock in Redis is valid.'),
    version: z.int(),
  })
  .meta({ id: 'Sale' }) satisfies z.ZodType<SaleInfo>;

export const deskSale = sale
  .extend({ phase: phase.nullable().describe('By the clock; null for drafts.') })
  .meta({ id: 'DeskSale' }) satisfies z.ZodType<DeskSale>;

export const editableSale = sale
  .omit({ slug: true, merchantId: true, imageUrl: true, productName: true, description: true })
  .omit({ attributes: true, paused: true, epoch: true })
  .extend({
    productId: z.string(),
    currency: z.enum(CURRENCIES),
    version: z.int().describe('What an edit is based on.'),
  })
  .meta({ id: 'EditableSale' }) satisfies z.ZodType<EditableSale>;

export const tiers = z
  .object({ total: units, available: units, held: count, sold: count })
  .meta({ id: 'StockTiers' });

const attempts = z.object({
  ...{ accepted: count, replayed: count, soldOut: count, rateLimited: count, rejected: count },
});

export const live = z
  .object({
    sale,
    stockMode: z.enum(['redis', 'draining', 'database', 'rebuilding']),
    phase: phase.nullable(),
    serverTime: time,
    stock: tiers.nullable(),
    database: z.object({ held: count, sold: count }),
    at: time.describe('When the figures below were counted; the stock is of this instant.'),
    orders: z.object({
      ...{ pendingPayment: count, paid: count, cancelled: count, failed: count, expired: count },
      ...{ refunded: count, written: count },
    }),
    queue: z.object({
      outbox: count,
      relayLagMs: z.number(),
      deadLetters: count,
      ordersPerSec: z.number().nullable(),
    }),
    reservations: z.object({ reserved: count, written: count }).nullable(),
    attempts,
    refusals: z.array(z.object({ code: errorCode, count })),
    risk: z.object({ hits: count }),
    riskRules: z.array(z.object({ ruleId: z.string(), name: z.string(), hits: count })),
    breakers: z.array(
      z.object({
        service: z.string(),
        state: z.enum(['closed', 'half_open', 'open']),
        since: time,
        lastError: z.string().nullable(),
      }),
    ),
    invariants: z.array(
      z.object({
        ...{ id: z.literal([1, 2, 3, 4, 5, 6, 7, 8]), ok: z.boolean() },
        statements: z
          .array(
            z.object({
              code: z.enum(SENTENCE_CODES),
              values: z.record(z.string(), z.union([z.string(), z.number()])),
            }),
          )
          .describe('The numbers that prove it; where broken, what is wrong, with examples.'),
        detail: z.string().describe('The same in English.'),
      }),
    ),
    verifiedAt: time.nullable().describe('When the invariants were recomputed.'),
    points: z
      .array(z.object({ ...attempts.shape, at: time, written: count, outbox: count, relayLagMs: z.number() }))
      .optional()
      .describe('With `since`: what was counted after it, second by second.'),
  })
  .meta({ id: 'Live' }) satisfies z.ZodType<Live & { points?: LivePoint[] }>;
