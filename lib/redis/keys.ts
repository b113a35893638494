/**
 * Every Redis key of the product is built here and nowhere else.
 *
 * The braces are literal Redis Cluster hash tags: all keys of one sale (and of one worker number) lie in one slot,
 * so one script may touch them together.
 */
export const keys = {
  /** Hash: window, paused, limit, epoch, gate and the stock tiers. */
  sale: (saleId: string) => `sale:{${saleId}}`,
  /** Hash: user id → that user's purchases. */
  buyers: (saleId: string) => `sale:{${saleId}}:buyers`,
  /** Hash: purchases of a rebuild that is still being written; becomes `buyers` in one rename. */
  stagedBuyers: (saleId: string, nonce: string) => `sale:{${saleId}}:buyers:staged:${nonce}`,
  /** Stream: accepted purchases on their way to Postgres. */
  outbox: (saleId: string) => `sale:{${saleId}}:outbox`,
  /** Hash: how often purchases of the sale were answered how. */
  attempts: (saleId: string) => `sale:{${saleId}}:attempts`,
  /** String with a TTL: a sale's info as JSON (cache, may be lost). The number rises when copies of before lack a field. */
  saleInfo: (saleId: string) => `cache:sale:2:{${saleId}}`,
  /** String with a TTL: a challenge's answer, found only by its own user in its own sale. */
  challenge: ({ saleId, userId }: { saleId: string; userId: string }, challengeId: string) =>
    `challenge:{${saleId}}:${userId}:${challengeId}`,
  /** String with a TTL: challenges a user asked for in this window. */
  challengeCount: (userId: string) => `challenge:count:{${userId}}`,
  /** Set: ids of the sales whose outbox the relay reads. */
  openSales: () => 'sales:open',
  /** String with a TTL: who holds this worker number now. */
  worker: (workerId: number) => `worker:{${workerId}}`,
  /** String without a TTL: no later moment was ever used in an order number of this worker. */
  workerMark: (workerId: number) => `worker:{${workerId}}:mark`,
  /** What the lock library is given; it stores the holder under `mutex:` and this. */
  lock: lockKey,
  /** String with a TTL: who holds the lock. */
  lockHolder: (name: string) => `mutex:${lockKey(name)}`,
  /** String without a TTL: the last fencing token of a lock, raised also by each change of what it protects. */
  lockFence: (name: string) => `${lockKey(name)}:fence`,
} as const;

/** Pub/sub channels, named here for the same reason. What is published on them may get lost. */
export const channels = {
  /** A sale's id, when its stock or settings changed other than by a purchase. */
  stockChanged: 'stock:changed',
  /** JSON `{from, paths}`: prerendered pages to renew, and the process that has done so already. */
  pagesChanged: 'pages:changed',
} as const;

/** A lock's name is `kind:id`, or `kind` alone; the id is the hash tag, so that lock and locked can be in one script. */
function lockKey(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? `lock:{${name}}` : `lock:${name.slice(0, colon)}:{${name.slice(colon + 1)}}`;
}
