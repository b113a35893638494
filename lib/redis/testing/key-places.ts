import type { keys } from '../keys';

/** The key builders of `keys.ts`; a lock's name is no key. */
type KeyName = Exclude<keyof typeof keys, 'lock'>;

/**
 * Which Redis each key lies on. `stock`: `REDIS_URL`; a purchase, or what becomes of it, depends on it. `cache`:
 * `CACHE_REDIS_URL`; it may be lost at any time and costs no purchase. `lock`: `LOCK_REDIS_URLS`, without them the cache
 * Redis; a rebuild's lock lies on the stock Redis. `both`: by what counts there.
 */
export const KEY_PLACES: Record<KeyName, 'stock' | 'cache' | 'lock' | 'both'> = {
  sale: 'stock',
  buyers: 'stock',
  stagedBuyers: 'stock',
  outbox: 'stock',
  waitlist: 'stock',
  places: 'stock',
  queue: 'stock',
  asked: 'stock',
  // The purchase script counts in the step in which it decides.
  limits: 'stock',
  // The purchase script's addresses and devices on the stock Redis; those of entry, challenge and reservation on the other.
  limit: 'both',
  replicasMark: 'stock',
  allowances: 'stock',
  reserved: 'stock',
  unreserved: 'stock',
  reservations: 'stock',
  openSales: 'stock',
  worker: 'stock',
  workerMark: 'stock',
  workerParts: 'stock',
  workersLost: 'stock',
  // Its age says whether workers reach the Redis that sells.
  workerSign: 'stock',
  preflight: 'stock',
  attempts: 'cache',
  liveTurn: 'cache',
  liveSample: 'cache',
  livePoints: 'cache',
  reconcileProgress: 'cache',
  saleInfo: 'cache',
  listTurn: 'cache',
  saleList: 'cache',
  saleListChanges: 'cache',
  challenge: 'cache',
  challengeCount: 'cache',
  riskCount: 'cache',
  riskPeaks: 'cache',
  riskOrigins: 'cache',
  riskUnpaidMark: 'cache',
  riskUnpaidCounted: 'cache',
  waitlistOrigins: 'cache',
  tries: 'cache',
  deviceRefusals: 'cache',
  processFigures: 'cache',
  lockHolder: 'lock',
  lockFence: 'lock',
};
