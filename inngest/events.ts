import { eventType } from 'inngest';
import { z } from 'zod';
import { MAX_BATCH, orderBatchSchema, orderNoSchema } from '@/lib/outbox/accepted-order';

/** Purchases that Redis has accepted, up to 100 of one sale; sent by the outbox relay. */
export const ordersAccepted = eventType('orders/accepted', { schema: orderBatchSchema });

/** Orders that wait for payment until `deadlineAt` (epoch ms). */
export const ordersCreated = eventType('orders/created', {
  schema: z.object({
    saleId: z.string(),
    deadlineAt: z.number().int(),
    orderNos: z.array(orderNoSchema).min(1).max(MAX_BATCH),
  }),
});

/** Orders whose payment has arrived; sent by the transactional outbox. */
export const ordersPaid = eventType('orders/paid', {
  schema: z.object({
    messages: z
      .array(z.object({ saleId: z.string(), orderNo: orderNoSchema }))
      .min(1)
      .max(MAX_BATCH),
  }),
});

/** Payments that arrived after their order had ended. */
export const paymentsLate = eventType('payments/late', {
  schema: z.object({
    messages: z
      .array(z.object({ paymentId: z.string() }))
      .min(1)
      .max(MAX_BATCH),
  }),
});

const EVENTS = { ordersAccepted, ordersCreated, ordersPaid, paymentsLate };

/** Our events by name. */
export const eventsByName = new Map(Object.values(EVENTS).map((event) => [event.name as string, event]));
