import { eventType } from 'inngest';
import { z } from 'zod';
import { orderNoSchema } from '@/lib/outbox/accepted-order';
import { PROBE_TOPIC } from '@/lib/outbox/event-refused';
import { MAX_BATCH, packedOrdersSchema } from '@/lib/outbox/order-batch';

/** Purchases that Redis has accepted: up to 500, of one or several sales. The outbox relay sends the event. */
export const ordersAccepted = eventType('orders/accepted', { schema: packedOrdersSchema });

/** In these sales the time to pay is over for some orders. Sent when they are written, with that moment as its time. */
export const ordersDue = eventType('orders/due', {
  schema: z.union([
    z.object({ saleIds: z.array(z.string()).min(1) }),
    // Timers named one sale before; such ones may still have to ring after an upgrade.
    z.object({ saleId: z.string() }),
  ]),
});

/**
 * Orders written in one transaction with their purchase. The transactional outbox sends the event. `deadlineAt` in
 * epoch ms.
 */
export const ordersPlaced = eventType('orders/placed', {
  schema: z.object({
    messages: z
      .array(
        z.object({ saleId: z.string(), orderNo: orderNoSchema, deadlineAt: z.string().regex(/^\d{1,16}$/) }),
      )
      .min(1)
      .max(MAX_BATCH),
  }),
});

/** Orders whose payment has arrived. The transactional outbox sends the event. */
export const ordersPaid = eventType('orders/paid', {
  schema: z.object({
    messages: z
      .array(z.object({ saleId: z.string(), orderNo: orderNoSchema }))
      .min(1)
      .max(MAX_BATCH),
  }),
});

/**
 * Payments with money that is due back: late, of another amount, or refunded by staff, in whole or in part. Messages under way
 * keep the old name.
 */
export const paymentsLate = eventType('payments/late', {
  schema: z.object({
    messages: z
      .array(z.object({ paymentId: z.string() }))
      .min(1)
      .max(MAX_BATCH),
  }),
});

/** Starts no function. Shows whether the executor takes events at all. */
const relayProbe = eventType(PROBE_TOPIC, { schema: z.object({}) });

const EVENTS = { ordersAccepted, ordersDue, ordersPlaced, ordersPaid, paymentsLate, relayProbe };

/** Our events by name. */
export const eventsByName = new Map(Object.values(EVENTS).map((event) => [event.name as string, event]));
