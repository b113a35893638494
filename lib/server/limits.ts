/** Limits of the web process, for every request whoever answers it. */
export const LIMITS = {
  /** Node answers 431 to more, before anything of ours runs. */
  maxHeaderBytes: 16 * 1024,
  /** How much of what has come is looked at as one plain request: a head and a body of the longest kind. */
  maxPlainBytes: 18 * 1024,
  /** Longest request target; 414 to more. */
  maxTargetChars: 2_048,
  /** Largest body of a purchase; 413 to more. */
  maxPurchaseBodyBytes: 1_024,
  /** A client that dribbles its headers or body is cut off (slowloris). */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** For the body of a purchase, which fits in one packet. Until it is complete it holds no place among `maxInFlight`. */
  bodyTimeoutMs: 5_000,
  keepAliveTimeoutMs: 5_000,
  /** A connection on which nothing moves in either direction, e.g. since nobody reads the answer. Streams say something more often. */
  silenceTimeoutMs: 60_000,
  /** How often Node looks for clients that are too slow. */
  checkIntervalMs: 2_000,
  /** Hot requests being answered at the same time, and as many others by Next; one more is told 503 at once, not queued. */
  maxInFlight: 10_000,
};

export type Limits = Readonly<typeof LIMITS>;
