/** What a webhook may be told, in the order of the page. */
export const WEBHOOK_KINDS = [
  'order.accepted',
  'order.paid',
  'order.cancelled',
  'order.refunded',
  'order.shipped',
  'sale.started',
  'sale.sold_out',
  'sale.ended',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** What is sent when somebody presses "send a test". */
export const TEST_KIND = 'webhook.test';

export const DELIVERY_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt failed: by the answer's status, no answer in time, or no connection (also to what must not be asked). */
export const DELIVERY_ERRORS = ['answer', 'timeout', 'unreachable'] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** Why an address is told nothing: staff turned it off, it answered 410, or it failed for days. */
export const DISABLED_WHYS = ['staff', 'gone', 'failing'] as const;
export type DisabledWhy = (typeof DISABLED_WHYS)[number];

/** The most webhooks of one shop. */
export const MAX_WEBHOOKS = 10;
