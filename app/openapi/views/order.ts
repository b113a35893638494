import { z } from 'zod';
import type { HistoryLine } from '@/lib/checkout/find-history';
import type { DeskOrder } from '@/lib/desk/orders/list-desk-orders';
import { WRITTEN_STATUSES } from '@/lib/desk/orders/order-filter';
import type { OrderDetail } from '@/lib/desk/orders/read-order-detail';
import type { ManagedOrderView } from '@/lib/desk/read-managed-order';
import type { OrderEvent } from '@/lib/order/order-event';
import type { OrderView } from '@/lib/order/types';
import { waitingApproval } from './approval';
import { count, currency, money, orderStatus, time, units } from './common';
import { deadLetter } from './queue';

const CAUSES = [
  ...['accepted', 'written', 'paid', 'expired', 'cancelled_by_shopper', 'cancelled_by_merchant'],
  ...['failed', 'revived', 'price_changed', 'payment_late', 'late_payment_kept', 'payment_mismatch'],
  ...['refund_requested', 'money_returned'],
] as const;

export const order = z
  .object({
    ...{ orderNo: z.string(), saleId: z.string(), saleTitle: z.string(), saleSlug: z.string() },
    imageUrl: z.string().nullable(),
    quantity: z.int(),
    ...{ unitPriceMinor: money, amountMinor: money, currency },
    status: orderStatus,
    payBy: time.nullable().describe('Null while queued: the time to pay starts when the order is written.'),
    ...{ createdAt: time.nullable(), paidAt: time.nullable(), cancelledAt: time.nullable() },
    endReason: z.string().nullable(),
    provider: z.string().nullable(),
    serverTime: time,
    version: z.int(),
  })
  .meta({ id: 'Order' }) satisfies z.ZodType<OrderView>;

export const historyLine = z
  .object({
    at: time,
    cause: z.enum(CAUSES),
    from: orderStatus.nullable(),
    to: orderStatus,
    ...{ amountMinor: money.nullable(), currency: currency.nullable() },
  })
  .meta({ id: 'HistoryLine' }) satisfies z.ZodType<HistoryLine>;

const orderEvent = z
  .object({
    at: time,
    actor: z.object({
      kind: z.enum(['shopper', 'merchant', 'provider', 'system']),
      id: z.string().optional(),
    }),
    from: orderStatus.nullable(),
    to: orderStatus,
    cause: z.enum([...CAUSES, 'confirmed']),
    data: z.record(z.string(), z.unknown()).describe('Amounts in minor units, reasons, versions.'),
  })
  .meta({ id: 'OrderEvent' }) satisfies z.ZodType<OrderEvent>;

export const managedOrder = order
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
    history: z.array(orderEvent),
  })
  .meta({ id: 'ManagedOrder' }) satisfies z.ZodType<ManagedOrderView>;

export const orderDetail = managedOrder
  .extend({
    ...{ email: z.string(), name: z.string() },
    enteredAt: time.nullable().describe('When the entry token was given that bought it.'),
    ...{ acceptedAt: time, remindedAt: time.nullable() },
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
  .meta({ id: 'OrderDetail' }) satisfies z.ZodType<OrderDetail>;

export const deskOrder = z
  .object({
    ...{ orderNo: z.string(), saleId: z.string(), saleTitle: z.string() },
    ...{ userId: z.string(), email: z.string(), quantity: z.int() },
    ...{ unitPriceMinor: money, amountMinor: money, currency },
    ...{ status: z.enum(WRITTEN_STATUSES), endReason: z.string().nullable() },
    paymentStatus: z.string().nullable(),
    ...{ acceptedAt: time, createdAt: time, payBy: time },
    ...{ paidAt: time.nullable(), cancelledAt: time.nullable(), version: z.int() },
  })
  .meta({ id: 'DeskOrder' }) satisfies z.ZodType<DeskOrder>;
