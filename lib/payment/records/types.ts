/** Column `payments.status`. `refund_due`: money that pays nothing is due back, or an order's refund was decided. */
export type PaymentStatus = 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';

export const PAYMENT_SUCCEEDED = 'payment.succeeded';
export const PAYMENT_FAILED = 'payment.failed';
