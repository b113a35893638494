import 'server-only';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import type { LimitPolicy } from '@/lib/redis/limit-policy';
import { countCalls } from './count-calls';
import { countLocally } from './count-locally';

/** Keys in one call: Redis works on the first while the next are still being read. */
const MAX_TOGETHER = 64;
/** A Redis that was found down is not asked again before, so that nobody else waits for it. */
const LEAVE_ALONE_MS = 1_000;

type Waiting = { resolve: (waitMs: number) => void; reject: (error: unknown) => void };
type Batch = { policy: LimitPolicy; keys: string[]; waiting: Waiting[] };

const batches = new Map<string, Batch>();
let askAgainAt = 0;

/**
 * Counts one call by `policy`: exactly, in Redis; in this process alone while that can't be reached. Calls for one sale
 * and policy that come in the same turn of the event loop share a script call.
 * @param saleId whose limit it is; `key` is from `keys.limit` of the same sale
 * @returns how long to wait, in ms; 0 = let through
 */
export function limitCall(saleId: string, policy: LimitPolicy, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { algorithm, limit, windowSec } = policy;
    const name = `${saleId} ${algorithm} ${limit} ${windowSec}`;
    let batch = batches.get(name);
    if (!batch) {
      batch = { policy, keys: [], waiting: [] };
      batches.set(name, batch);
      if (batches.size === 1) setImmediate(sendAll);
    }
    batch.keys.push(key);
    batch.waiting.push({ resolve, reject });
    if (batch.keys.length < MAX_TOGETHER) return;
    batches.delete(name);
    void send(batch);
  });
}

function sendAll(): void {
  const all = [...batches.values()];
  batches.clear();
  for (const batch of all) void send(batch);
}

async function send({ policy, keys, waiting }: Batch): Promise<void> {
  try {
    const waits = await count(policy, keys);
    for (const [at, { resolve }] of waiting.entries()) resolve(waits[at] as number);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

async function count(policy: LimitPolicy, keys: readonly string[]): Promise<number[]> {
  if (performance.now() >= askAgainAt) {
    try {
      return await countCalls(policy, keys);
    } catch (err) {
      if (!isOutage(err)) throw err;
      askAgainAt = performance.now() + LEAVE_ALONE_MS;
      log.warn({ err }, 'limits are counted in this process alone');
    }
  }
  return keys.map((key) => countLocally(policy, key));
}
