import 'server-only';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { stockRedis } from '@/lib/redis/client';

const TIMEOUT_MS = 2000;

type Check = { ok: boolean; detail?: string };

export type Readiness = { ready: boolean; redis: Check; postgres: Check; executor: Check };

/** Asks everything a purchase needs on its way: Redis, Postgres and the executor. Never throws. */
export async function checkReadiness(): Promise<Readiness> {
  const [redis, postgres, executor] = await Promise.all([
    check(() => stockRedis().ping()),
    check(() => db().$queryRaw`SELECT 1`),
    check(askExecutor),
  ]);
  return { ready: redis.ok && postgres.ok && executor.ok, redis, postgres, executor };
}

/**
 * The embedded executor must know our functions; Inngest elsewhere is somebody else's health check.
 * @throws if it does not answer within 2 s, or not that.
 */
export async function askExecutor(): Promise<void> {
  const { executorPort } = env();
  if (executorPort === undefined) return;
  const response = await fetch(`http://127.0.0.1:${executorPort}/health`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { functions } = (await response.json()) as { functions: number };
  if (!response.ok || functions === 0) throw new Error('no functions registered yet');
}

async function check(ask: () => Promise<unknown>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([ask(), timeout]);
    return { ok: true };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
