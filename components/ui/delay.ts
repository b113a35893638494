import { onWake } from '@/components/clock/on-return';

/** Waits, also while the device sleeps: timers stand still meanwhile. An abort ends the wait early. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    let dueAt = performance.now() + ms;
    const done = () => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    let timer = setTimeout(done, ms);
    const stop = onWake((sleptMs) => {
      clearTimeout(timer);
      dueAt -= Math.max(0, sleptMs);
      timer = setTimeout(done, dueAt - performance.now());
    });
    signal.addEventListener('abort', done);
  });
}
