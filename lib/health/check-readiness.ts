import 'server-only';
import type { Check, Readiness } from '@/lib/contract/shapes/health';
import type { ReadinessProblem } from '@/lib/contract/words/health';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { stockRedis } from '@/lib/redis/client';
import { limitMs } from '@/lib/time-limits';
import { processNeeds } from './process-needs';

/** How long a result is kept: however many clients ask, the stores are asked once a second. */
const KEEP_MS = 1_000;

const UNMET: Check = { ok: false, problem: 'not_ready' };

/** The parts of the shop start together: for this long after its own start a process waits for the others, s. */
const START_SEC = 60;

class NotReadyError extends Error {}
class SlowError extends Error {}
class ReadOnlyError extends Error {}

let known: { until: number; readiness: Promise<Readiness> } | undefined;
/** Parts that were ready before. */
const seen = new Set<string>();
/** The last log line of each part: an outage logs one line and not one a second. */
const logged = new Map<string, string>();

/**
 * Asks everything a purchase needs: Redis, Postgres, the executor, and the needs of this process; at most once a
 * second. Never throws. The log says what exactly is wrong, the answer does not.
 */
export function checkReadiness(): Promise<Readiness> {
  const now = performance.now();
  if (!known || known.until < now) {
    const readiness = askAll();
    known = { until: Number.POSITIVE_INFINITY, readiness };
    const own = known;
    void readiness.then(() => {
      own.until = performance.now() + KEEP_MS;
    });
  }
  return known.readiness;
}

async function askAll(): Promise<Readiness> {
  const [redis, postgres, executor] = await Promise.all([
    check('redis', () => stockRedis().ping()),
    check('postgres', askPostgres),
    check('executor', askExecutor),
  ]);
  const needs = processNeeds().map(({ name, isMet }) => [name, isMet ? { ok: true } : UNMET] as const);
  const checks = { redis, postgres, executor, ...Object.fromEntries<Check>(needs) };
  return { ready: Object.values(checks).every(({ ok }) => ok), ...checks };
}

/** Asks Postgres whether it takes writes: a replica, or a server that is short of space, may not. @throws if it does not */
async function askPostgres(): Promise<void> {
  const [row] = await db().$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::bool AS "isReadOnly"`;
  if (row?.isReadOnly) throw new ReadOnlyError('Postgres takes no writes');
}

/**
 * Asks our executor, which must know our functions. Another Inngest has its own health check.
 * @throws if it does not answer within 2 s, or answers otherwise.
 */
export async function askExecutor(): Promise<void> {
  const { executorUrl } = env();
  if (executorUrl === undefined) return;
  const response = await fetch(new URL('/health', executorUrl), {
    redirect: 'error',
    signal: AbortSignal.timeout(limitMs('readiness')),
  });
  const { functions } = (await response.json()) as { functions: number };
  if (!response.ok || functions === 0) throw new NotReadyError('no functions registered yet');
}

async function check(name: string, ask: () => Promise<unknown>): Promise<Check> {
  const limit = limitMs('readiness');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SlowError(`no answer within ${limit} ms`)), limit);
  });
  try {
    await Promise.race([ask(), timeout]);
    logged.delete(name);
    seen.add(name);
    return { ok: true };
  } catch (error) {
    const problem = wordFor(error);
    const isStarting = problem === 'not_ready' && !seen.has(name) && process.uptime() < START_SEC;
    if (logged.get(name) !== problem && !isStarting)
      log.warn({ part: name, problem, err: error }, 'not ready');
    if (!isStarting) logged.set(name, problem);
    return { ok: false, problem };
  } finally {
    clearTimeout(timer);
  }
}

function wordFor(error: unknown): ReadinessProblem {
  if (error instanceof NotReadyError) return 'not_ready';
  if (error instanceof ReadOnlyError) return 'read_only';
  const { name, message } = error instanceof Error ? error : new Error();
  // AbortSignal's name, and pg's message when no connection comes up in time.
  const isSlow = error instanceof SlowError || name === 'TimeoutError' || /\btimeout\b/i.test(message);
  return isSlow ? 'timeout' : 'unreachable';
}
