/** Column `payments.status`. `refund_due`: the money came after the order had ended and goes back. */
export type PaymentStatus = 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';

/** What a callback led to; column `payment_events.outcome`. */
export type PaymentOutcome = 'applied' | 'repeated' | 'late' | 'mismatch' | 'unknown_payment' | 'ignored';

export const PAYMENT_SUCCEEDED = 'payment.succeeded';
export const PAYMENT_FAILED = 'payment.failed';
