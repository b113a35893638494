import 'server-only';
import { askServerOf } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

const EVERY_MS = 200;
/** The most that one tick adds, ms: if this process itself was stopped, it must not blame Redis for the gap. */
const MAX_STEP_MS = 300;

export type RedisWatch = {
  /** Returns for how long Redis has given no answer, in ms; 0 = it has answered the last ping. */
  silentMs(): number;
  stop(): void;
};

/** Pings the Redis that holds the stock of a sale five times a second; every sale has the same one without a cluster. */
export function watchRedis(saleId: string): RedisWatch {
  let silent = 0;
  let hasAnswered = false;
  let isAsking = false;
  let tickedAt = performance.now();
  const ask = async () => {
    isAsking = true;
    try {
      await askServerOf(stockRedis(), keys.sale(saleId), 'ping');
      hasAnswered = true;
      silent = 0;
    } catch {
      // The ticks count the silence.
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
