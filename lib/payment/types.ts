/** Column `payments.status`. `refund_due`: money that pays nothing goes back, or an order's refund was decided. */
export type PaymentStatus = 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';

/**
 * What a callback, or the provider's answer to a question, led to; column `payment_events.outcome`. `mismatch`: other money
 * than was asked for, by a callback, which is not believed. `sent_back`: the same by the provider's books, which are.
 */
export const PAYMENT_OUTCOMES = [
  'applied',
  'repeated',
  'late',
  'mismatch',
  'sent_back',
  'unknown_payment',
  'ignored',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export const PAYMENT_SUCCEEDED = 'payment.succeeded';
export const PAYMENT_FAILED = 'payment.failed';
