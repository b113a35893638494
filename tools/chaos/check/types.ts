import type { Ledger } from '../load/ledger';
import type { RoundKind } from '../round-kinds';

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

/** A place on a waitlist. */
export type WaitlistRow = {
  number: number;
  userId: string;
  jti: string;
  orderNo: string;
  joinedAt: number;
  leftAt: number | null;
  givenAt: number | null;
  passedAt: number | null;
};

/** A place in a line. */
export type LineEntryRow = {
  number: number;
  userId: string;
  /** Hex digits. */
  nonce: string;
  weight: number;
  joinedAt: number;
  enteredAt: number | null;
  leftAt: number | null;
  /** Of a draw. */
  place: number | null;
  passedOver: string | null;
  orderNo: string | null;
};

/** A line and what its order follows from; hex digits. */
export type LineRow = {
  seed: string;
  seedHash: string;
  noncesDigest: string | null;
  beacon: string | null;
  /** How many came before the start; null: not shuffled. */
  early: number | null;
  admitted: number;
  isEnlisted: boolean;
  entries: LineEntryRow[];
};

export type Tiers = { total: number; available: number; held: number; sold: number };

/** What Postgres and Redis hold of a sale after the round. */
export type Books = {
  sale: { total: number; held: number; sold: number };
  /** Null if Redis does not hold the sale. */
  redis: Tiers | null;
  /** Of a split sale: what each slice may sell, and what it has for sale, held and sold; null if Redis does not hold it. */
  slices: { dealt: number; loaded: number | null }[];
  orders: OrderRow[];
  payments: PaymentRow[];
  provider: ProviderRow[];
  events: PaymentEventRow[];
  deadLetters: DeadLetterRow[];
  epoch: number;
  waitlist: WaitlistRow[];
  /** Who waits by Redis, first to last. */
  waiting: { userId: string; number: number }[];
  /** Null: the sale has no line. */
  line: LineRow | null;
};

/** What the runner knows about the round. */
type Facts = {
  kind: RoundKind;
  /** Units at the beginning. */
  stock: number;
  limitPerUser: number;
  /** Epoch ms. */
  startsAt: number;
  /** Epoch ms at which Redis lost everything it held; empty without such a fault. */
  redisLostAt: readonly number[];
  /** Of the stock, once the sale was published; each time that it is loaded again has a higher one. */
  epoch: number;
};

/** One sale of a round. */
export type Case = { ledger: Ledger; books: Books; facts: Facts };

/** A broken promise. */
export type Violation = { rule: string; problem: string; orderNos: string[] };
