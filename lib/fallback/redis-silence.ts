import 'server-only';
import { stockRedis } from '@/lib/redis/client';

const EVERY_MS = 200;
/** One tick counts for this long at most: a process that was stopped itself must not blame Redis for it. */
const MAX_STEP_MS = 300;

export type RedisWatch = {
  /** For how long Redis has given no answer, in ms; 0 = the last one has come. */
  silentMs(): number;
  stop(): void;
};

/** Asks the stock Redis five times a second whether it is there. */
export function watchRedis(): RedisWatch {
  let silent = 0;
  let hasAnswered = false;
  let isAsking = false;
  let tickedAt = performance.now();
  const ask = async () => {
    isAsking = true;
    try {
      await stockRedis().ping();
      hasAnswered = true;
      silent = 0;
    } catch {
      // Silence is counted by the ticks.
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    if (!hasAnswered) silent += Math.min(now - tickedAt, MAX_STEP_MS);
    tickedAt = now;
    hasAnswered = false;
    if (!isAsking) void ask();
  }, EVERY_MS).unref();
  void ask();
  return { silentMs: () => silent, stop: () => clearInterval(timer) };
}
