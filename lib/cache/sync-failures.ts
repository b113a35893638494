import 'server-only';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from '@/lib/clock';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { type BoardFailure, clearFailures, postFailures } from './failure-board';

const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 5_000;
/** More changes than this fail only if Redis is gone, and then no process reads old copies from it. */
const MAX_FAILURES = 10_000;

/** A change that is in Postgres and has not reached the cache yet. */
type SyncFailure = BoardFailure;

type Pending = SyncFailure & { work: () => Promise<void> };
/** Names a copy: `name` is in the list once however often it fails; `subject` is what it is a copy of. */
type Copy = { name: string; subject: string };

const failing = new Map<string, Pending>();
let isRetrying = false;

/**
 * Returns the changes that this process could not bring to the cache yet and keeps trying; oldest first. The admin
 * area shows those of all processes.
 */
export const readSyncFailures = (): SyncFailure[] =>
  [...failing.values()].map(({ work: _, ...failure }) => failure);

/** Tells whether the cache may still hold the value from before a change. */
export const isUnsynced = (name: string): boolean => failing.has(name);

/**
 * Brings a change to the cache. An outage is no error: it retries in the background, every 0.1 to 5 s, until it works
 * or `outdatedMs` have passed, when the old copy has expired by itself. Meanwhile the admin area shows the failure.
 */
export async function sync(copy: Copy, outdatedMs: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    if (failing.delete(copy.name)) void clearFailures('cache', [copy.name]);
  } catch (error) {
    if (!isOutage(error)) throw error;
    remember(copy, outdatedMs, error, work);
    if (!isRetrying) void retryAll();
  }
}

function remember({ name, subject }: Copy, outdatedMs: number, error: unknown, work: Pending['work']): void {
  const attempts = (failing.get(name)?.attempts ?? 0) + 1;
  const since = failing.get(name)?.since ?? nowMs();
  log.warn({ name, err: error }, 'a change could not be told to the cache; trying again');
  const until = nowMs() + outdatedMs;
  const pending = {
    kind: 'cache',
    name,
    subject,
    since,
    until,
    attempts,
    error: String(error),
    work,
  } as const;
  failing.set(name, { ...pending, nextTryAt: nowMs() + RETRY_MIN_MS });
  const [oldest] = failing.keys();
  if (failing.size > MAX_FAILURES && oldest !== undefined) failing.delete(oldest);
}

async function retryAll(): Promise<void> {
  isRetrying = true;
  for (let waitMs = RETRY_MIN_MS; failing.size > 0; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    for (const pending of failing.values()) pending.nextTryAt = nowMs() + waitMs;
    void postFailures(readSyncFailures());
    await delay(waitMs, undefined, { ref: false });
    const tried = [...failing.values()];
    for (const pending of tried) await retry(pending);
    void clearFailures(
      'cache',
      tried.map(({ name }) => name).filter((name) => !failing.has(name)),
    );
  }
  isRetrying = false;
}

async function retry(pending: Pending): Promise<void> {
  // False once a newer failure of the same copy has taken its place, or a newer change has got through.
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
