import type { FairQueueLimits } from './fair-queue';
import type { ShareLimits } from './shares';

const MIB = 1024 * 1024;

/** The web process's limits, for every request, whether our server or Next answers it. */
export const LIMITS = {
  /** The most header bytes; Node answers 431 to more, before any of our code runs. */
  maxHeaderBytes: 16 * 1024,
  /** How many received bytes the server reads as one plain request: enough for the longest head and body. */
  maxPlainBytes: 18 * 1024,
  /** Longest request target; 414 to more. */
  maxTargetChars: 2_048,
  /** Largest body of a purchase; 413 to more. For other requests see `body-limit.ts`. */
  maxPurchaseBodyBytes: 1_024,
  /** The server cuts off a client that sends its headers or body byte by byte (slowloris). */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /**
   * For the body of a purchase, of a direct request or with a password. Until a purchase's body is complete, it takes no place
   * among `maxInFlight`.
   */
  bodyTimeoutMs: 5_000,
  /**
   * How long a connection may stay open without a request: longer than a shopper waits between entry and start, and
   * than the minute after which load balancers give an idle connection up.
   */
  keepAliveTimeoutMs: 75_000,
  /** The same while more than `roomyConnections` are open, or more than half of what the system allows. */
  crowdedKeepAliveTimeoutMs: 5_000,
  roomyConnections: 40_000,
  /**
   * How long a connection may move no bytes in either direction, e.g. because the client does not read the answer.
   * Streams send something more often.
   */
  silenceTimeoutMs: 60_000,
  /** How often Node checks for clients that are too slow. */
  checkIntervalMs: 2_000,
  /** How many hot requests may be under way at the same time; one more gets 503 at once instead of a place in a queue. */
  maxInFlight: 10_000,
  /**
   * The queue before Next, which is one thread: more requests at once would only wait there, each with half a megabyte
   * where it renders (500 took 300 MB). At some 400 answers/s, an office of 500 behind one address that opens a page at
   * once is served within 3 s. One client may use half of Next.
   */
  next: {
    atOnce: 32,
    atOnceOfClient: 16,
    waiting: 2_000,
    waitingOfClient: 1_000,
    waitMs: 10_000,
  } satisfies FairQueueLimits as FairQueueLimits,
  /**
   * The queue before sign-ins and registrations. They wait in a queue of their own, where it is known whose password goes
   * first (`lib/account/password-queue.ts`), and must not take Next's places from pages meanwhile.
   */
  passwords: {
    atOnce: 2_000,
    atOnceOfClient: 500,
    waiting: 2_000,
    waitingOfClient: 1_000,
    waitMs: 10_000,
  } satisfies FairQueueLimits as FairQueueLimits,
  /**
   * The queue before what our server answers for signed-in shoppers without Next. It answers thousands a second, most
   * of them together with others in one query, so many may be under way.
   */
  direct: {
    atOnce: 1_024,
    atOnceOfClient: 512,
    waiting: 20_000,
    waitingOfClient: 5_000,
    waitMs: 10_000,
  } satisfies FairQueueLimits as FairQueueLimits,
  /** How long such an answer may take: a database that hangs must not keep a crowd waiting without one. */
  directAnswerMs: 6_000,
  // Each of the three doors to Next (`pass-to-next.ts`) has the following bounds of its own.
  /** Requests for Next whose bodies are still arriving: a client that sends them slowly takes no other client's place. */
  arrivals: { all: 4_000, ofClient: 200 } satisfies ShareLimits as ShareLimits,
  /**
   * Requests with Next and answers still being read, streams included, without the queue. 4,000 unread answers hold 0.6
   * GB on our machine (145 KB each of 1 MB). One client may have an eighth: an office of 500 never has more than 16
   * with Next, while an attacker needs eight addresses to hold all.
   */
  exchanges: { all: 4_000, ofClient: 500 } satisfies ShareLimits as ShareLimits,
  /** Bodies that have arrived and that Next has not taken yet. */
  uploadBytes: { all: 64 * MIB, ofClient: 16 * MIB } satisfies ShareLimits as ShareLimits,
};

export type Limits = Readonly<typeof LIMITS>;
