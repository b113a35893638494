import type { PurchaseWish } from '@/lib/contract/shapes/purchase';

export type OpenSale = { saleId: string; gate: string };

/** Purchases, each by its own user with its own token. */
type Purchases = {
  kind: 'purchases';
  targets: readonly OpenSale[];
  fromUser: number;
  count: number;
  /** Their wishes, in turn; none: a request without a body wishes one unit. */
  wishes?: readonly PurchaseWish[];
  isCyclic?: boolean;
};

/**
 * The kind of requests: purchases; one request, or a list of them. After the last one they begin again with the first where
 * `isCyclic` says so; lists do unless it says otherwise.
 */
export type Source =
  | Purchases
  | { kind: 'repeat'; request: string }
  | { kind: 'given'; requests: readonly string[]; isCyclic?: boolean };

export type Job = { port: number; connections: number; source: Source } & (
  | { loop: 'closed'; seconds: number }
  | { loop: 'open'; windowMs: number }
);

export type LoadResult = {
  /** Replies by status; 0 = the connection broke before the reply. */
  answers: Record<number, number>;
  sent: number;
  /** Requests sent but not answered when the time was over. */
  unanswered: number;
  elapsedMs: number;
  latencyMs: { p50: number; p99: number; max: number };
  /** Busy share of the generator's own thread, 0 … 1. Near 1 the generator was the limit, not the server. */
  busy: number;
};
