import { z } from 'zod';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DISABLED_WHYS,
  TEST_KIND,
  WEBHOOK_KINDS,
} from '../words/webhook';
import { isWebhookAddress, MAX_ADDRESS_CHARS } from '../words/webhook-address';
import { count, currency, money, page, time, units } from './common';

const kind = z.enum(WEBHOOK_KINDS);
const kinds = z
  .array(kind)
  .min(1)
  .max(WEBHOOK_KINDS.length)
  .refine((given) => new Set(given).size === given.length, 'names a kind twice');

/** What an event of an order says. */
export const orderEventData = z.object({
  orderNo: z.string(),
  saleId: z.string(),
  productId: z.string(),
  quantity: count,
  amountMinor: money,
  currency,
});
/** What the event of a parcel says. */
export const shippedEventData = orderEventData.extend({
  carrier: z.string(),
  trackingNumber: z.string(),
  trackingUrl: z.string().nullable(),
});
/** What an event of a sale says: as it stands when the event is made. */
export const saleEventData = z.object({
  saleId: z.string(),
  productId: z.string(),
  slug: z.string(),
  title: z.string(),
  startsAt: time,
  endsAt: time,
  totalStock: units,
  soldStock: count,
});

const eventOf = <const K extends string, D extends z.ZodType>(type: K, data: D) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime().describe('When it happened.'), data });

/** The body of a delivery. */
export const webhookEvent = z
  .discriminatedUnion('type', [
    eventOf('order.accepted', orderEventData),
    eventOf('order.paid', orderEventData),
    eventOf('order.cancelled', orderEventData),
    eventOf('order.refunded', orderEventData),
    eventOf('order.shipped', shippedEventData),
    eventOf('sale.started', saleEventData),
    eventOf('sale.sold_out', saleEventData),
    eventOf('sale.ended', saleEventData),
    eventOf(TEST_KIND, z.object({ webhookId: z.string() })),
  ])
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.output<typeof webhookEvent>;

export const webhookView = z
  .object({
    webhookId: z.string(),
    url: z.string(),
    kinds: z.array(kind),
    createdAt: time,
    disabledAt: time.nullable().describe('Null: it is on.'),
    disabledWhy: z
      .enum(DISABLED_WHYS)
      .nullable()
      .describe('`gone`: it answered 410. `failing`: nothing arrived for three days.'),
    failingSince: time.nullable().describe('Since when nothing has arrived while deliveries failed.'),
    oldSecretUntil: time.nullable().describe('Until when the secret before the last signs along.'),
    waiting: count.describe('Deliveries that are still to be sent; counted to 1,000.'),
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.output<typeof webhookView>;

export const webhookList = z.object({ webhooks: z.array(webhookView) });

/** The only answers that hold a secret. */
export const webhookWithSecret = z.object({
  webhook: webhookView,
  secret: z.string().describe('`whsec_` and a base64 key. It is shown this once.'),
});

export const newWebhook = z.strictObject({
  url: z
    .string()
    .trim()
    .max(MAX_ADDRESS_CHARS)
    .refine(isWebhookAddress, 'must be an https address without user, password and fragment'),
  kinds,
});
export type NewWebhook = z.output<typeof newWebhook>;

export const webhookEdit = z
  .strictObject({ kinds: kinds.optional(), enabled: z.boolean().optional() })
  .refine((edit) => edit.kinds !== undefined || edit.enabled !== undefined, 'changes nothing');
export type WebhookEdit = z.output<typeof webhookEdit>;

export const removedWebhook = z.object({ webhookId: z.string() });

export const webhookDelivery = z
  .object({
    deliveryId: z.string(),
    eventId: z.string().describe('Its `webhook-id`.'),
    kind: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: count,
    createdAt: time,
    nextAt: time.nullable().describe('When it is sent next; null: it is not.'),
    lastAt: time.nullable(),
    lastStatus: z.int().nullable().describe('The status of the last answer; null: there was none.'),
    lastError: z.enum(DELIVERY_ERRORS).nullable(),
    body: z.string(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryView = z.output<typeof webhookDelivery>;

export const deliveryWish = page.extend({ status: z.enum(DELIVERY_STATUSES).optional() });
export type DeliveryWish = z.output<typeof deliveryWish>;
