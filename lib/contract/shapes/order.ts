import { z } from 'zod';
import { DELIVERY_STANDS } from '../words/delivery';
import { HISTORY_CAUSES, ORDER_ACTORS, ORDER_CAUSES, WRITTEN_STATUSES } from '../words/order';
import { waitingApproval } from './approval';
import { saleTitles } from './by-language';
import {
  count,
  currency,
  filterTime,
  money,
  orderStatus,
  reason,
  requestId,
  taxRate,
  time,
  units,
} from './common';
import { orderDelivery } from './delivery';
import { orderedWish } from './purchase';
import { deadLetter } from './queue';

export const order = z
  .object({
    orderNo: z.string(),
    saleId: z.string(),
    saleTitle: z.string(),
    saleTitles,
    saleSlug: z.string(),
    campaign: z
      .object({ slug: z.string(), title: z.string() })
      .nullable()
      .describe('The campaign to which the sale belongs.'),
    imageUrl: z.string().nullable(),
    ...orderedWish.shape,
    variantName: z.string().nullable().describe('Null: the sale has no variants.'),
    unitPriceMinor: money,
    shippingMinor: money.describe('What of the amount is for its parcel; known once it has an address.'),
    amountMinor: money,
    taxRate: taxRate.nullable().describe('Null: its merchant says nothing, or it is not written yet.'),
    refundedMinor: money.describe('What of it the shop gives back or has given back; while paid, in parts.'),
    currency,
    status: orderStatus,
    payBy: time.nullable().describe('Null while queued: the time to pay starts when the order is written.'),
    createdAt: time.nullable(),
    paidAt: time.nullable(),
    cancelledAt: time.nullable(),
    endReason: z.string().nullable(),
    provider: z.string().nullable(),
    delivery: orderDelivery.nullable().describe('Null: its merchant says nothing, or it is not written yet.'),
    serverTime: time,
    version: z.int(),
  })
  .meta({ id: 'Order' });

/** An order as its shopper sees it. */
export type OrderView = z.output<typeof order>;

export const historyLine = z
  .object({
    at: time,
    cause: z.enum(HISTORY_CAUSES),
    from: orderStatus.nullable(),
    to: orderStatus,
    amountMinor: money.nullable(),
    currency: currency.nullable(),
  })
  .meta({ id: 'HistoryLine' });

/** One line of "what happened" for the shopper. */
export type HistoryLine = z.output<typeof historyLine>;

const orderEvent = z
  .object({
    at: time,
    actor: z.object({
      kind: z.enum(ORDER_ACTORS),
      id: z.string().optional(),
    }),
    from: orderStatus.nullable(),
    to: orderStatus,
    cause: z.enum(ORDER_CAUSES),
    data: z.record(z.string(), z.unknown()).describe('Amounts in minor units, reasons, versions.'),
  })
  .meta({ id: 'OrderEvent' });

/** One change of an order: when, who, from where to where, and why. */
export type OrderEvent = z.output<typeof orderEvent>;

const refundPartView = z
  .object({
    amountMinor: money,
    reason: z.string(),
    askedBy: z.string(),
    askedAt: time,
    sentAt: time.nullable().describe('When the provider had accepted to send it; null: it is tried again.'),
  })
  .meta({ id: 'RefundPart' });

const writtenOrder = order.extend({ status: z.enum(WRITTEN_STATUSES) });

/** An order that has a row in Postgres: never `queued`. */
export type WrittenOrderView = z.output<typeof writtenOrder>;

export const managedOrder = writtenOrder
  .extend({
    userId: z.string(),
    payment: z
      .object({
        paymentId: z.string(),
        status: z.string(),
        amountMinor: money,
        openedAt: time
          .nullable()
          .describe('When the shopper was last sent to the provider: the amount is fixed.'),
        settledAt: time.nullable(),
        refundedAt: time.nullable(),
      })
      .nullable(),
    refundParts: z.array(refundPartView).describe('Oldest first.'),
    history: z.array(orderEvent),
  })
  .meta({ id: 'ManagedOrder' });

/** An order as its merchant sees it. */
export type ManagedOrderView = z.output<typeof managedOrder>;

export const orderDetail = managedOrder
  .extend({
    email: z.string(),
    name: z.string(),
    enteredAt: time.nullable().describe('When the entry token was given that bought it.'),
    acceptedAt: time,
    remindedAt: time.nullable(),
    stockSettledAt: time.nullable().describe('When its outcome reached the stock.'),
    refundReturnsStock: z.boolean().nullable(),
    paymentEvents: z
      .array(z.object({ at: time, type: z.string(), outcome: z.string(), webhookId: z.string() }))
      .describe('What the provider told, oldest first.'),
    notifications: z.array(z.object({ at: time, kind: z.string(), readAt: time.nullable() })),
    points: z.array(z.object({ at: time, kind: z.string(), points: z.int() })),
    deadLetters: z.array(deadLetter),
    waitingRefund: waitingApproval
      .nullable()
      .describe('A refund of it that a second person has to allow; null: none waits.'),
    people: z
      .record(z.string(), z.string())
      .describe('E-mail addresses of those who did something to it, by id.'),
    saleStock: z
      .object({ total: units, held: count, sold: count })
      .describe('Of its sale, as Postgres has it.'),
  })
  .meta({ id: 'OrderDetail' });

/** Everything known about one order. Null: it has not happened, or was not recorded. */
export type OrderDetail = z.output<typeof orderDetail>;

export const adminOrder = z
  .object({
    orderNo: z.string(),
    saleId: z.string(),
    saleTitle: z.string(),
    userId: z.string(),
    email: z.string(),
    ...orderedWish.shape,
    variantName: z.string().nullable(),
    unitPriceMinor: money,
    shippingMinor: money,
    amountMinor: money,
    taxRate: taxRate.nullable(),
    refundedMinor: money,
    currency,
    status: z.enum(WRITTEN_STATUSES),
    endReason: z.string().nullable(),
    paymentStatus: z.string().nullable(),
    acceptedAt: time,
    createdAt: time,
    payBy: time,
    paidAt: time.nullable(),
    cancelledAt: time.nullable(),
    delivery: z
      .enum(DELIVERY_STANDS)
      .nullable()
      .describe('How its parcel stands; `missing`: it has no address. Null: none is sent.'),
    version: z.int(),
  })
  .meta({ id: 'AdminOrder' });

/** An order in the list of the admin area. */
export type AdminOrder = z.output<typeof adminOrder>;

/** Which orders to list; fields left out don't filter. */
export const orderFilter = z.object({
  saleId: z.string().max(100).optional(),
  status: z.enum(WRITTEN_STATUSES).optional(),
  delivery: z
    .enum(DELIVERY_STANDS)
    .optional()
    .describe('How their parcels stand; of what is not packed yet, only what is paid.'),
  user: z.string().max(254).describe('Who bought: the id or the e-mail address.').optional(),
  orderNo: z.string().max(40).optional(),
  from: filterTime.describe('When it was bought.').optional(),
  to: filterTime.describe('Not included.').optional(),
});
export type OrderFilter = z.output<typeof orderFilter>;

/** The price per unit, and the version it is based on. */
export const orderPrice = z.object({
  priceMinor: z.number().int().min(1).max(1_000_000_000),
  version: z.number().int().min(1),
});

export const refund = z.object({ reason, returnStock: z.boolean() });

/** The most parts that an order is refunded in. */
export const MOST_PARTS = 50;

export const refundPart = z.object({
  amountMinor: z.number().int().min(1).max(2_147_483_647).describe('Less than what is left of the amount.'),
  reason,
  requestId: requestId.unwrap(),
});
export type RefundPart = z.output<typeof refundPart>;
