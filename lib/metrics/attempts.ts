import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { Attempts } from '@/lib/contract/shapes/live';
import { ATTEMPT_OUTCOMES, type AttemptOutcome } from '@/lib/contract/words/live';
import type { ErrorCode } from '@/lib/errors/codes';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** How often purchases were refused, by code. */
export type Refusals = Partial<Record<ErrorCode, number>>;

const FLUSH_AFTER_MS = 1_000;
const MAX_SALES = 1_000;

const none = (): Attempts => ({ accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 });

/**
 * A counted name. Outcomes and codes share one map, as they share a hash in Redis: outcomes are written likeThis,
 * codes LIKE_THIS.
 */
type Counted = AttemptOutcome | ErrorCode;
type Counter = { pending: Map<string, Map<Counted, number>>; timer?: NodeJS.Timeout };

const held = processWide('attempts', (): Counter => ({ pending: new Map() }));

const isOutcome = (name: string): name is AttemptOutcome =>
  (ATTEMPT_OUTCOMES as readonly string[]).includes(name);

/**
 * Counts one purchase attempt, and its code if it was refused. Keeps the count in this process and writes it to Redis
 * once a second: a counter per request would cost the hot path a second command. A killed process loses unwritten
 * counts; only the dashboard reads them.
 */
export function countAttempt(saleId: string, outcome: AttemptOutcome, code?: ErrorCode): void {
  const { pending } = held;
  if (pending.size >= MAX_SALES && !pending.has(saleId)) void flushAttempts();
  add(saleId, outcome, 1);
  if (code) add(saleId, code, 1);
}

/** Writes the counts since the last time. While Redis is down they wait, for at most 1,000 sales. */
export async function flushAttempts(): Promise<void> {
  clearTimeout(held.timer);
  held.timer = undefined;
  const batch = held.pending;
  held.pending = new Map();
  const writes: Promise<void>[] = [];
  for (const [saleId, counts] of batch) {
    for (const [name, count] of counts) writes.push(write(saleId, name, count));
  }
  await Promise.all(writes);
}

/** Reads how purchases of a sale were answered and why refused, by all processes up to about a second ago. */
export async function readAttempts(saleId: string): Promise<{ attempts: Attempts; refusals: Refusals }> {
  const values = await cacheRedis().hgetall(keys.attempts(saleId));
  const attempts = none();
  const refusals: Refusals = {};
  for (const [name, count] of Object.entries(values)) {
    if (isOutcome(name)) attempts[name] = Number(count);
    else refusals[name as ErrorCode] = Number(count);
  }
  return { attempts, refusals };
}

/**
 * Corrects the attempts for showing them beside the orders. A process counts in memory, writes once a second and
 * loses unwritten counts when it dies. But every written order was accepted, so at least so many were.
 * @param written orders of the sale in Postgres, whatever became of them
 */
export const withWritten = (attempts: Attempts, written: number): Attempts => ({
  ...attempts,
  accepted: Math.max(attempts.accepted, written),
});

async function write(saleId: string, name: Counted, count: number): Promise<void> {
  try {
    await cacheRedis().hincrby(keys.attempts(saleId), name, count);
  } catch {
    // Redis is down: the next flush tries again.
    add(saleId, name, count);
  }
}

function add(saleId: string, name: Counted, count: number): void {
  let counts = held.pending.get(saleId);
  if (!counts) {
    if (held.pending.size >= MAX_SALES) return;
    counts = new Map();
    held.pending.set(saleId, counts);
  }
  counts.set(name, (counts.get(name) ?? 0) + count);
  held.timer ??= setTimeout(() => void flushAttempts(), FLUSH_AFTER_MS).unref();
}
