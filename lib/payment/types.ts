/** Column `payments.status`. `refund_due`: the money came after the order had ended and goes back. */
export type PaymentStatus = 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';

/** What a callback led to; column `payment_events.outcome`. */
export const PAYMENT_OUTCOMES = [
  'applied',
  'repeated',
  'late',
  'mismatch',
  'unknown_payment',
  'ignored',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export const PAYMENT_SUCCEEDED = 'payment.succeeded';
export const PAYMENT_FAILED = 'payment.failed';
