import { setTimeout as delay } from 'node:timers/promises';
import { guardStock } from '@/lib/loading/guard-stock';

/** For tests: looks at all sales as a worker does, a second after the last look has ended. @returns a function that stops */
export function keepGuarding(): () => Promise<void> {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      await guardStock().catch(() => undefined);
      await delay(1_000, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
  };
}
