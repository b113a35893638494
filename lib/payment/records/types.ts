/** Money in minor units of an ISO 4217 currency. */
export type Money = { amountMinor: number; currency: string };

/** The part of a payment that a provider needs to know. */
export type PaymentRef = Money & { paymentId: string; orderNo: string };

/** The content of an authentic callback. */
export type PaymentEvent = Money & {
  /** The provider's id of this callback; the same callback may come many times. */
  webhookId: string;
  /** One of the five below; the shop records other types and ignores them. */
  type: string;
  paymentId: string;
  /** The body as it came, for the record. */
  payload: Record<string, unknown>;
};

/**
 * A payment's state in a provider's own books. `unknown`: no shopper has tried to pay it yet. `succeeded`: the
 * provider holds this money, and has accepted to send `returnedMinor` back besides. `refunded`: it has accepted to send
 * all of it back. `isDisputed`: its payer has asked the bank for the money.
 */
export type ProviderState =
  | { status: 'unknown' }
  | ({ status: 'succeeded' | 'failed' | 'refunded'; returnedMinor?: number; isDisputed?: boolean } & Money);

/** Column `payments.status`. `refund_due`: money that pays nothing is due back, or an order's refund was decided. */
export type PaymentStatus = 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';

export const PAYMENT_SUCCEEDED = 'payment.succeeded';
export const PAYMENT_FAILED = 'payment.failed';
export const PAYMENT_DISPUTED = 'payment.disputed';
/** Money was sent back, by us or by staff at the provider. */
export const PAYMENT_REFUNDED = 'payment.refunded';
/** Money that the provider had accepted to send back did not arrive: it is held again. */
export const PAYMENT_REFUND_FAILED = 'payment.refund_failed';
