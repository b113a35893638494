import { z } from 'zod';
import type { HistoryLine } from '@/lib/checkout/find-history';
import type { ManagedOrderView } from '@/lib/desk/read-managed-order';
import type { OrderEvent } from '@/lib/order/order-event';
import type { OrderView } from '@/lib/order/types';
import { currency, money, time } from './common';

const status = z.enum(['queued', 'pending_payment', 'paid', 'cancelled', 'refunded', 'failed']);

const CAUSES = [
  ...['accepted', 'written', 'paid', 'expired', 'cancelled_by_shopper', 'cancelled_by_merchant'],
  ...['failed', 'revived', 'price_changed', 'payment_late', 'late_payment_kept', 'refund_requested'],
  'money_returned',
] as const;

export const order = z
  .object({
    ...{ orderNo: z.string(), saleId: z.string(), saleTitle: z.string(), saleSlug: z.string() },
    imageUrl: z.string().nullable(),
    quantity: z.int(),
    ...{ unitPriceMinor: money, amountMinor: money, currency },
    status,
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
    from: status.nullable(),
    to: status,
    amountMinor: money.nullable(),
  })
  .meta({ id: 'HistoryLine' }) satisfies z.ZodType<HistoryLine>;

const orderEvent = z
  .object({
    at: time,
    actor: z.object({
      kind: z.enum(['shopper', 'merchant', 'provider', 'system']),
      id: z.string().optional(),
    }),
    from: status.nullable(),
    to: status,
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
        settledAt: time.nullable(),
        refundedAt: time.nullable(),
      })
      .nullable(),
    history: z.array(orderEvent),
  })
  .meta({ id: 'ManagedOrder' }) satisfies z.ZodType<ManagedOrderView>;
