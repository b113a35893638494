import type { Ledger } from '../load/ledger';

export type OrderRow = {
  orderNo: string;
  userId: string;
  quantity: number;
  jti: string;
  status: 'pending_payment' | 'paid' | 'cancelled' | 'refunded' | 'failed';
  amountMinor: number;
  currency: string;
  /** Epoch ms, like all times here. */
  acceptedAt: number;
  payBy: number;
  paidAt: number | null;
  cancelledAt: number | null;
};

export type PaymentRow = {
  paymentId: string;
  orderNo: string;
  status: 'pending' | 'failed' | 'succeeded' | 'refund_due' | 'refunded';
  amountMinor: number;
  currency: string;
  /** The money taken, where it differs from the money asked for. */
  takenMinor: number | null;
};

/** The provider's own books after the round. */
export type ProviderRow = { paymentId: string; amountMinor: number; currency: string; isSentBack: boolean };

export type PaymentEventRow = { paymentId: string; webhookId: string; type: string; outcome: string };

export type DeadLetterRow = { orderNo: string; released: boolean; error: string };

export type Tiers = { total: number; available: number; held: number; sold: number };

/** The records of a sale in Postgres and Redis after the round. */
export type Books = {
  sale: { total: number; held: number; sold: number };
  /** Null if Redis does not hold the sale. */
  redis: Tiers | null;
  /**
   * The slices of a split sale: the units that each may sell, and those that it has for sale, held and sold; null if
   * Redis does not hold it.
   */
  slices: { dealt: number; loaded: number | null }[];
  orders: OrderRow[];
  payments: PaymentRow[];
  provider: ProviderRow[];
  events: PaymentEventRow[];
  deadLetters: DeadLetterRow[];
};

/** The runner's own knowledge of the round. */
type Facts = {
  /** Units at the beginning. */
  stock: number;
  limitPerUser: number;
  /** Epoch ms. */
  startsAt: number;
  /** Epoch ms at which Redis lost everything it held; empty without such a fault. */
  redisLostAt: readonly number[];
};

export type Case = { ledger: Ledger; books: Books; facts: Facts };

/** A broken promise. */
export type Violation = { rule: string; problem: string; orderNos: string[] };
