import type { FairQueueLimits } from './fair-queue';
import type { ShareLimits } from './shares';

const MIB = 1024 * 1024;

/** Limits of the web process, for every request whoever answers it. */
export const LIMITS = {
  /** Node answers 431 to more, before anything of ours runs. */
  maxHeaderBytes: 16 * 1024,
  /** How much of what has come is looked at as one plain request: a head and a body of the longest kind. */
  maxPlainBytes: 18 * 1024,
  /** Longest request target; 414 to more. */
  maxTargetChars: 2_048,
  /** Largest body of a purchase; 413 to more. Those of other requests: see `body-limit.ts`. */
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
  /** Hot requests being answered at the same time; one more is told 503 at once, not queued. */
  maxInFlight: 10_000,
  /**
   * The line before Next. It is one thread: more at once would only wait there instead of here, each holding half a
   * megabyte where it renders (500 took 300 MB). At some 400 answers/s an office of 500 behind one address, all opening a page in the
   * same second, is through in less than 3 s; a client alone may use half of Next.
   */
  line: {
    atOnce: 32,
    atOnceOfClient: 16,
    waiting: 2_000,
    waitingOfClient: 1_000,
    waitMs: 10_000,
  } satisfies FairQueueLimits as FairQueueLimits,
  /** Requests for Next whose bodies are still coming: whoever dribbles them takes nobody else's place. */
  arrivals: { all: 4_000, ofClient: 200 } satisfies ShareLimits as ShareLimits,
  /**
   * Requests with Next and answers that are still being read, streams included; not those in line. 4,000 that nobody reads
   * hold 0.6 GB here (145 KB each of 1 MB). A client has an eighth: an office of 500 behind one address never has more than
   * 16 with Next and reads each within a moment, while it takes eight addresses to hold all of them.
   */
  exchanges: { all: 4_000, ofClient: 500 } satisfies ShareLimits as ShareLimits,
  /** Bodies that have come and that Next has not taken yet. */
  uploadBytes: { all: 64 * MIB, ofClient: 16 * MIB } satisfies ShareLimits as ShareLimits,
};

export type Limits = Readonly<typeof LIMITS>;
