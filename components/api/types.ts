/** Shapes of the HTTP contract as pages need them. Times are epoch milliseconds, money is integer minor units. */

/** Something that was given up and waits for a decision. */
export interface DeadLetterView {
  id: string;
  consumer: string;
  orderNo: string | null;
  payload: unknown;
  error: string;
  attempts: number;
  createdAt: number;
  resolvedAt: number | null;
  resolution: string | null;
}

/** A change that the cache or the CDN could not be told yet. */
export interface SyncFailureView {
  kind: 'cache' | 'cdn';
  /** The copy that is out of step. */
  name: string;
  since: number;
  attempts: number;
  /** Null: nobody tries any more. */
  nextTryAt: number | null;
  error: string | null;
}
