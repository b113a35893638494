import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** How a purchase attempt was answered; the names of API.md's `attempts`. */
export const OUTCOMES = ['accepted', 'replayed', 'soldOut', 'rateLimited', 'rejected'] as const;
export type AttemptOutcome = (typeof OUTCOMES)[number];
export type Attempts = Record<AttemptOutcome, number>;

const FLUSH_AFTER_MS = 1_000;
const MAX_SALES = 1_000;

const none = (): Attempts => ({ accepted: 0, replayed: 0, soldOut: 0, rateLimited: 0, rejected: 0 });

type Counter = { pending: Map<string, Attempts>; timer?: NodeJS.Timeout };

// The web process holds this module twice, in the fast lane and in Next's bundle: one flush must write for both.
const holder = globalThis as typeof globalThis & { seckillAttempts?: Counter };

function counter(): Counter {
  holder.seckillAttempts ??= { pending: new Map() };
  return holder.seckillAttempts;
}

/**
 * Counts one purchase attempt. Kept in this process and written to Redis once a second: a counter per request
 * would cost the hot path a second command. What a killed process had not written is lost; nothing but the
 * dashboard reads these numbers.
 */
export function countAttempt(saleId: string, outcome: AttemptOutcome): void {
  const { pending } = counter();
  if (pending.size >= MAX_SALES && !pending.has(saleId)) void flushAttempts();
  add(saleId, outcome, 1);
}

/** Writes what was counted since the last time. While Redis is down the counts wait, for at most 1,000 sales. */
export async function flushAttempts(): Promise<void> {
  const held = counter();
  clearTimeout(held.timer);
  held.timer = undefined;
  const batch = held.pending;
  held.pending = new Map();
  const writes: Promise<void>[] = [];
  for (const [saleId, counts] of batch) {
    for (const outcome of OUTCOMES) {
      if (counts[outcome] > 0) writes.push(write(saleId, outcome, counts[outcome]));
    }
  }
  await Promise.all(writes);
}

/** How often purchases of a sale were answered how, by all processes up to about a second ago. */
export async function readAttempts(saleId: string): Promise<Attempts> {
  const values = await stockRedis().hmget(keys.attempts(saleId), ...OUTCOMES);
  const attempts = none();
  OUTCOMES.forEach((outcome, i) => {
    attempts[outcome] = Number(values[i] ?? 0);
  });
  return attempts;
}

async function write(saleId: string, outcome: AttemptOutcome, count: number): Promise<void> {
  try {
    await stockRedis().hincrby(keys.attempts(saleId), outcome, count);
  } catch {
    // Redis is down: the next flush tries again.
    add(saleId, outcome, count);
  }
}

function add(saleId: string, outcome: AttemptOutcome, count: number): void {
  const held = counter();
  let counts = held.pending.get(saleId);
  if (!counts) {
    if (held.pending.size >= MAX_SALES) return;
    counts = none();
    held.pending.set(saleId, counts);
  }
  counts[outcome] += count;
  held.timer ??= setTimeout(() => void flushAttempts(), FLUSH_AFTER_MS).unref();
}
