/** Limits of the web process, for every request whoever answers it. */
export const LIMITS = {
  /** Node answers 431 to more, before anything of ours runs. */
  maxHeaderBytes: 16 * 1024,
  /** Longest request target; 414 to more. */
  maxTargetChars: 2_048,
  /** Largest body of a purchase; 413 to more. */
  maxPurchaseBodyBytes: 1_024,
  /** A client that dribbles its headers or body is cut off (slowloris). */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  /** How often Node looks for clients that are too slow. */
  checkIntervalMs: 2_000,
  /** Hot requests being answered at the same time; the next one is told 503 at once instead of queueing. */
  maxInFlight: 10_000,
} as const;
