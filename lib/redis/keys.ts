import { SALE_SHAPE } from '@/lib/contract/shapes/sale';
/**
 * Every Redis key of the product is built here and nowhere else.
 *
 * The braces are literal Redis Cluster hash tags: all keys of one sale (and of one worker number) lie in one slot,
 * so one script may touch them together.
 */
export const keys = {
  /** Hash: window, paused, limit, epoch, gate and the stock tiers. */
  sale: (stockId: string) => `sale:{${stockId}}`,
  /** Hash: user id → that user's purchases. */
  buyers: (stockId: string) => `sale:{${stockId}}:buyers`,
  /** Hash: purchases of a rebuild that is still being written; becomes `buyers` in one rename. */
  stagedBuyers: (stockId: string, nonce: string) => `sale:{${stockId}}:buyers:staged:${nonce}`,
  /** Stream: accepted purchases on their way to Postgres. */
  outbox: (stockId: string) => `sale:{${stockId}}:outbox`,
  /** Sorted set: user ids of those who wait for a unit, by the numbers of their places. */
  waitlist: (saleId: string) => `sale:{${saleId}}:waitlist`,
  /** Hash: user id → that user's latest place on the waitlist, also of those who got a unit or were passed over. */
  places: (saleId: string) => `sale:{${saleId}}:places`,
  /** Hash with a TTL: user id → device and address from which the user's place was taken. */
  waitlistOrigins: (saleId: string) => `waitlist:{${saleId}}:origins`,
  /** Stream: purchases of a sale of the queue strategy that nobody has decided yet. */
  queue: (saleId: string) => `sale:{${saleId}}:queue`,
  /** Hash with a TTL: user id → what that user asked for there, undecided or refused. */
  asked: (saleId: string) => `sale:{${saleId}}:asked`,
  /** Hash with a TTL: what the purchase script has counted for each user, and for all of them. */
  limits: (stockId: string) => `sale:{${stockId}}:limits`,
  /**
   * String with a TTL: what was counted for one user, address or device at one interface of a sale. All of a sale lie in one slot,
   * so that one script counts for many, and the purchase script for the addresses and devices of its purchases.
   */
  limit: (saleId: string, place: string, scope: string, subject: string) =>
    `limit:{${saleId}}:${place}:${scope}:${subject}`,
  /** String with a TTL: written to learn whether replicas have what was written before it. */
  replicasMark: (stockId: string) => `sale:{${stockId}}:replicas`,
  /** Hash: purchases of the sale by answer (camel case), and refused ones by code (upper case). */
  attempts: (saleId: string) => `sale:{${saleId}}:attempts`,
  /** String with a TTL: which process computes the admin area's figures of the sale. */
  liveTurn: (saleId: string) => `live:{${saleId}}:turn`,
  /** String with a TTL: these figures of the last second, as JSON. */
  liveSample: (saleId: string) => `live:{${saleId}}:sample`,
  /** List with a TTL: points of the charts, one JSON a second, the oldest first. */
  livePoints: (saleId: string) => `live:{${saleId}}:points`,
  /** Hash: user id → `units number`: what the user may have in this sale of a campaign that has a limit over all of them. */
  allowances: (stockId: string) => `sale:{${stockId}}:allowances`,
  /** Hash: user id → when that user reserved, ms; only reservations that stand. */
  reserved: (saleId: string) => `sale:{${saleId}}:reserved`,
  /** Hash: user id → when that user cancelled, ms; tells that a change which comes late is older. */
  unreserved: (saleId: string) => `sale:{${saleId}}:unreserved`,
  /** Stream: reservations and cancellations on their way to Postgres. */
  reservations: (saleId: string) => `sale:{${saleId}}:reservations`,
  /** String with a TTL: how far the reconciliation of a sale is, as JSON. */
  reconcileProgress: (saleId: string) => `reconcile:{${saleId}}:progress`,
  /** String with a TTL: a sale's info as JSON (cache, may be lost). The number rises when older copies lack a field. */
  saleInfo: (saleId: string) => `cache:sale:${SALE_SHAPE}:{${saleId}}`,
  /** String with a TTL: who publishes the list of sales. */
  listTurn: () => 'list:{sales}:turn',
  /** Hash with a TTL: sale id → what the list shows of it, as JSON (cache, may be lost). The number rises with its shape. */
  saleList: () => 'list:{sales}:2',
  /** Stream with a TTL: the latest changes of that list. */
  saleListChanges: () => 'list:{sales}:2:changes',
  /** String with a TTL: a challenge's answer, found only by its own user in its own sale. */
  challenge: ({ saleId, userId }: { saleId: string; userId: string }, challengeId: string) =>
    `challenge:{${saleId}}:${userId}:${challengeId}`,
  /** String with a TTL: challenges a user asked for in this window. */
  challengeCount: (userId: string) => `challenge:count:{${userId}}`,
  /** Set: ids of the sales and slices whose outboxes the relays read. */
  openSales: () => 'sales:open',
  /** String with a TTL: into how many parts this worker number is split; an older release's holder of the whole. */
  worker: (workerId: number) => `worker:{${workerId}}`,
  /** String without a TTL: the latest moment that an order number of this worker may have used. */
  workerMark: (workerId: number) => `worker:{${workerId}}:mark`,
  /** Hash without a TTL: part of this worker number → who holds it, until when, and its latest moment. */
  workerParts: (workerId: number) => `worker:{${workerId}}:parts`,
  /** String with a TTL: a process noticed that Redis had lost its worker number. */
  workersLost: () => 'worker:lost',
  /** String without a TTL: when a worker last gave a sign, s by the Redis clock. */
  workerSign: () => 'worker:sign',
  /** String with a TTL: whether Redis takes writes. */
  preflight: () => 'preflight',
  /** Hash (events) or sorted set (orders, accounts) with a TTL: what risk rules count for a subject within a window. */
  riskCount: (metric: string, windowSec: number, kind: string, value: string) =>
    `risk:${metric}:${windowSec}:{${kind}:${value}}`,
  /** Sorted set with a TTL: the highest counts of an hour, subject → count; what a dry run looks at. */
  riskPeaks: (metric: string, windowSec: number, kind: string, hour: number) =>
    `risk:peaks:${metric}:${windowSec}:${kind}:{${hour}}`,
  /** Hash with a TTL: order number → device and address of the buyer, for orders whose numbers begin alike. */
  riskOrigins: (span: string) => `risk:origins:{${span}}`,
  /** String: the moment up to which unpaid orders are counted, ms. */
  riskUnpaidMark: () => 'risk:unpaid:mark',
  /** Sorted set: the unpaid orders that were counted lately, by when they ended, ms. */
  riskUnpaidCounted: () => 'risk:unpaid:counted',
  /**
   * String with a TTL: failures of one subject and until when it waits. All of one thing that is tried lie in one slot, so
   * that one script counts all subjects of a try. @param subject hashed: nobody shall read who tries, and on whom
   */
  tries: (thing: string, scope: string, subject: string) => `tries:{${thing}}:${scope}:${subject}`,
  /** Hash with a TTL: refused device cookies of that day, by reason. */
  deviceRefusals: (day: string) => `device:refusals:${day}`,
  /** Hash: process → its figures as JSON, renewed every 5 s; readers leave out and delete old ones. */
  processFigures: () => 'metrics:processes',
  /** The name that the lock library gets; it stores the holder under `mutex:` and this. */
  lock: lockKey,
  /** String with a TTL: who holds the lock. */
  lockHolder: (name: string) => `mutex:${lockKey(name)}`,
  /** String without a TTL: the last fencing token of a lock. Each change of what it protects raises it, too. */
  lockFence: (name: string) => `${lockKey(name)}:fence`,
} as const;

/** Pub/sub channels, named here for the same reason. Messages may get lost. */
export const channels = {
  /** Id of a sale whose stock or settings something other than a purchase has changed. */
  stockChanged: 'stock:changed',
  /** JSON `{from, paths}`: prerendered pages to renew, and the process that has renewed its own. */
  pagesChanged: 'pages:changed',
  /** An empty message: the blocklist in Postgres changed. */
  blocksChanged: 'blocks:changed',
  /** An empty message: somebody has switched a side feature. */
  switchboardChanged: 'switchboard:changed',
  /** JSON `LoadReport`: how busy a web process is. */
  load: 'switchboard:load',
  /** An empty message: a turn in a waiting room was left. */
  turnsLeft: 'turns:left',
  /** An empty message: a session has ended. */
  sessionsEnded: 'sessions:ended',
} as const;

/** A lock's name is `kind:id`, or `kind` alone; the id is the hash tag, so that lock and locked can be in one script. */
function lockKey(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? `lock:{${name}}` : `lock:${name.slice(0, colon)}:{${name.slice(colon + 1)}}`;
}
