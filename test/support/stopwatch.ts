import { waitedForProcessors } from '@/lib/waited-for-processors';

const TICK_MS = 50;
/** A tick that comes later than this says that the whole process stood still. */
const STALL_MS = 500;

/**
 * Measures a span of time, without the time in which somebody on this machine waited for a processor, or in which this
 * process stood still for half a second and more: a promise of the form "within n ms" is about us, and a machine that
 * others use makes everything late.
 * @returns a function that returns ms since the call, for use once
 */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  const waitedUs = waitedForProcessors() ?? 0;
  let stalledMs = 0;
  let lastAt = startedAt;
  const look = () => {
    const now = performance.now();
    if (now - lastAt > STALL_MS) stalledMs += now - lastAt - TICK_MS;
    lastAt = now;
  };
  const timer = setInterval(look, TICK_MS).unref();
  return () => {
    look();
    clearInterval(timer);
    const waitedMs = ((waitedForProcessors() ?? 0) - waitedUs) / 1_000;
    return performance.now() - startedAt - Math.max(waitedMs, stalledMs);
  };
}
