/** A payment as the sandbox's page shows it. */
export const SANDBOX_STATUSES = ['pending', 'succeeded', 'failed', 'refunded'] as const;

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
