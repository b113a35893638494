import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';

const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;
/** More than these fail only when Redis is gone, and then nobody reads old copies from it. */
const MAX_FAILURES = 10_000;

/** A change that is in Postgres and could not be told to the cache yet. Times in epoch ms. */
export type SyncFailure = { name: string; since: number; until: number; attempts: number; error: string };

type Pending = SyncFailure & { work: () => Promise<void> };

const failing = new Map<string, Pending>();
let isRetrying = false;

/** Changes this process could not bring to the cache yet and goes on trying to; the oldest first. */
export const readSyncFailures = (): SyncFailure[] =>
  [...failing.values()].map(({ work: _, ...failure }) => failure);

/** Whether the cache may still hold what was there before a change. */
export const isUnsynced = (name: string): boolean => failing.has(name);

/**
 * Carries a change to the cache. An outage is no error: it is retried in the background, from 0.1 to 5 s apart, until it
 * works or `outdatedMs` have passed, when the old copy has expired by itself.
 * @param name the copy that is out of step, once in the list however often it fails.
 */
export async function sync(name: string, outdatedMs: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    failing.delete(name);
  } catch (error) {
    if (!isOutage(error)) throw error;
    remember(name, outdatedMs, error, work);
    if (!isRetrying) void retryAll();
  }
}

function remember(name: string, outdatedMs: number, error: unknown, work: () => Promise<void>): void {
  const attempts = (failing.get(name)?.attempts ?? 0) + 1;
  const since = failing.get(name)?.since ?? nowMs();
  log.warn({ name, err: error }, 'a change could not be told to the cache; trying again');
  failing.set(name, { name, since, until: nowMs() + outdatedMs, attempts, error: String(error), work });
  const [oldest] = failing.keys();
  if (failing.size > MAX_FAILURES && oldest !== undefined) failing.delete(oldest);
}

async function retryAll(): Promise<void> {
  isRetrying = true;
  for (let waitMs = RETRY_MIN_MS; failing.size > 0; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    await delay(waitMs, undefined, { ref: false });
    for (const pending of [...failing.values()]) await retry(pending);
  }
  isRetrying = false;
}

async function retry(pending: Pending): Promise<void> {
  // A newer failure of the same copy has taken its place, or a newer change has got through.
  const isCurrent = () => failing.get(pending.name) === pending;
  if (!isCurrent()) return;
  try {
    await pending.work();
    if (isCurrent()) failing.delete(pending.name);
  } catch (error) {
    pending.attempts += 1;
    pending.error = String(error);
    if (isCurrent() && nowMs() >= pending.until) failing.delete(pending.name);
  }
}
