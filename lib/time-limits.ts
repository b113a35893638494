import 'server-only';
import { patience } from './env';

/** How long the product waits before it gives up, in ms, where nothing stretches it. */
const USUAL_MS = {
  /** Postgres: a new connection, or one that becomes free. */
  postgresConnect: 2_000,
  /** A transaction of several statements: longer than any lock is held when all works well. */
  transaction: 15_000,
  /** A transaction that names no limit. Prisma's own default. */
  shortTransaction: 5_000,
  /** All results of a draw: 10,000 rows take some 200 ms. */
  drawResult: 120_000,
  /** The shuffle of a waiting room, with all its places in one transaction. */
  shuffle: 60_000,
  /** No other worker takes a message that one has claimed. */
  messageClaim: 60_000,
  /** A mail begins so early that it is done within its claim: connecting, greeting and sending take 25 s at most. */
  mailStart: 30_000,
  mailConnect: 5_000,
  mailSilence: 15_000,
  /** One send of messages to the executor, with the SDK's own tries. */
  messageRelay: 60_000,
  /** A read of rows one after the other, at the reader's pace. */
  stream: 300_000,
  /** A read of a whole log, in one snapshot. */
  wholeLog: 30 * 60_000,
  /** The few reads that a whole crowd makes. They take milliseconds. */
  keptQuery: 3_000,
  /** The question whether a replica of Postgres is up to date. */
  replicaAnswer: 1_000,
  /** A report that a replica makes. */
  replicaRead: 30_000,

  redisConnect: 500,
  /** A command while no node of the cluster can be reached. */
  redisAway: 1_000,
  redisCommand: 2_000,
  /** Which server of a cluster has which slots. */
  redisSlots: 500,
  /** Closes a Redis connection on which nothing arrives any more. Longer than `redisCommand`. */
  redisSilence: 2_500,
  /** Added to a blocking read's own time. */
  redisBlockGrace: 2_000,
  /** Added to the own time of a read of the outbox. */
  outboxSilence: 5_000,
  /** An event's wait for the orders of the one before it to be written. */
  eventWritten: 1_000,

  /** Replicas have a write within a millisecond or two. After this long the outcome stays open. */
  replicasConfirm: 500,
  /** The server's word on what its replicas have, before anything is written. */
  replicasReady: 1_000,

  lockNodeConnect: 500,
  /** A slow lock node counts as down. Waiting for it would use up the lock's time on the other nodes. */
  lockNodeCommand: 100,
  /** A lock node that has been silent for so long counts as down until it answers again. */
  lockNodeSilence: 500,
  /** A lock, where the caller names no limit. */
  lockAcquire: 500,
  /** The lock under which a sale is loaded into Redis. */
  loadLock: 30_000,

  /** A turn among the purchases that Postgres decides. */
  databaseTurn: 500,
  databasePurchase: 3_000,
  /** A turn among the reservations that Postgres writes. */
  reserveTurn: 2_000,
  /** A turn among the entries that claim a part of a campaign's limit. */
  claimTurn: 2_000,
  claim: 5_000,
  /** An answer from the Redis of another sale: how many units it keeps of such a limit. */
  claimElsewhere: 500,
  /** A purchase's wait until units are granted to this process: a round trip to Postgres, a few when it is busy. */
  allocation: 1_000,

  /** A request's wait for a sale that is being rebuilt. */
  heal: 1_000,
  /** A request's wait until the sales of a new Redis server have been looked at. */
  guardNewServer: 1_000,
  /** The purchases under way when a sale returns to Redis. */
  returnToRedis: 3_000,

  /** A slice whose server is slower counts as away. */
  sliceRead: 300,
  /** A purchase of a split sale: after that the shopper asks again. */
  slicePurchase: 400,
  sliceLedgerLock: 250,
  sliceMove: 5_000,

  /** A turn among those who join a waiting room. */
  lineTurn: 3_000,
  lineJoin: 5_000,

  /** A cached row, from whichever store. */
  cacheAnswer: 5_000,
  /** The first read of a list that the process follows, later ones, and what the process's start waits for it. */
  listFirst: 60_000,
  listNext: 5_000,
  listStart: 10_000,

  /** Everything that `/readyz` asks. */
  readiness: 2_000,
  /** A question to one server about itself. A server that is slower counts as away. */
  serverAnswer: 1_000,
  /** A payment provider's answer, and the shop's to the sandbox's callback. */
  provider: 10_000,
  /** A question about one payment among many. */
  providerState: 3_000,
  /** A question about up to 1,000 payments, which a provider may answer page by page. */
  providerMany: 60_000,
  /** One try of Stripe's SDK, which makes three. */
  stripeRequest: 8_000,
  /** A question to Mollie, with the tries of its SDK. Shorter than `provider`. */
  mollieQuestion: 9_000,
  sandboxCallback: 5_000,
  /** A request to the executor. One that takes a connection and then does not answer counts as away. */
  inngestRequest: 10_000,
  /** A call of a function, for the executor, and for whatever passes it on: that must not cut it off before. */
  functionCall: 120_000,
  functionAnswer: 125_000,
  /**
   * The executor's own connections, and statements on them. It deletes 5,000 runs at once at most; a host that vanished
   * would keep it for a quarter of an hour.
   */
  executorConnect: 15_000,
  executorStatement: 60_000,
  /** A receiver of alerts or notices. */
  webhook: 10_000,
  /** A command's connections when its work is done, and whatever else holds its process. */
  commandEnd: 5_000,
  cdnPurge: 5_000,
  /** One file of a picture, to or from its bucket, with the tries of Amazon's library. Less than a transaction has. */
  mediaBucket: 10_000,
  /** A public randomness beacon. */
  beaconRequest: 2_000,
  traceExport: 10_000,
  /** The web process's answer when pages are to be rendered again, and its rendering of one. */
  pageRenewal: 2_000,
  pageVisit: 5_000,

  /** A live page's first sample of a sale. Longer than what it consists of. */
  liveSample: 10_000,
  /** The judgement of a sale's books on a live page: the first one, and later ones, where the last one can be shown. */
  firstInvariants: 8_000,
  invariants: 200,
} as const;

/**
 * Returns how long to wait before giving up, in ms. All limits stretch together by the setting `SECKILL_PATIENCE`: a
 * machine that is busy with other things is slow everywhere. What a shopper is promised holds where it is 1.
 */
export const limitMs = (name: keyof typeof USUAL_MS): number => USUAL_MS[name] * patience();
