import 'server-only';
import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { formatLimits, type RateLimited } from '@/lib/redis/limit-policy';
import type { Attempt } from './count-attempt';
import { countAttempts } from './count-attempts';
import { countLocally } from './count-locally';

/** Bounds the attempts in one call: Redis works on the first call while the next attempts are still being read. */
const MAX_TOGETHER = 64;
/** How long a Redis that was found down is not asked again, so that no further attempt waits for it. */
const LEAVE_ALONE_MS = 1_000;

type Waiting = { resolve: (limited: RateLimited | null) => void; reject: (error: unknown) => void };
type Batch = { limits: SaleLimits; attempts: Attempt[]; waiting: Waiting[] };

const batches = new Map<string, Batch>();
let askAgainAt = 0;

/**
 * Counts one attempt by a sale's limits, by all that apply or by none. Counts exactly, in Redis; in this process
 * alone while Redis can't be reached. Attempts in one sale that come in the same turn of the event loop share a
 * script call.
 * @param saleId whose limits they are. @param attempt keys from `keys.limit` of the same sale, one at least
 * @returns the limit it met; null = let through
 */
export function limitAttempt(
  saleId: string,
  limits: SaleLimits,
  attempt: Attempt,
): Promise<RateLimited | null> {
  return new Promise((resolve, reject) => {
    const name = `${saleId} ${formatLimits(limits)}`;
    let batch = batches.get(name);
    if (!batch) {
      batch = { limits, attempts: [], waiting: [] };
      batches.set(name, batch);
      if (batches.size === 1) setImmediate(sendAll);
    }
    batch.attempts.push(attempt);
    batch.waiting.push({ resolve, reject });
    if (batch.attempts.length < MAX_TOGETHER) return;
    batches.delete(name);
    void send(batch);
  });
}

function sendAll(): void {
  const all = [...batches.values()];
  batches.clear();
  for (const batch of all) void send(batch);
}

async function send({ limits, attempts, waiting }: Batch): Promise<void> {
  try {
    const answers = await count(limits, attempts);
    for (const [at, { resolve }] of waiting.entries()) resolve(answers[at] ?? null);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

async function count(limits: SaleLimits, attempts: readonly Attempt[]): Promise<(RateLimited | null)[]> {
  if (performance.now() >= askAgainAt) {
    try {
      return await countAttempts(limits, attempts);
    } catch (err) {
      if (!isOutage(err)) throw err;
      askAgainAt = performance.now() + LEAVE_ALONE_MS;
      log.warn({ err }, 'limits are counted in this process alone');
    }
  }
  return attempts.map((attempt) => countLocally(limits, attempt));
}
