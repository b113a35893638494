import { waitedForProcessors } from '@/lib/waited-for-processors';

/**
 * Measures a span of time, without the time in which somebody on this machine waited for a processor: a promise of the
 * form "within n ms" is about us, and a machine that others use makes everything late.
 * @returns a function that returns ms since the call
 */
export function startStopwatch(): () => number {
  const startedAt = performance.now();
  const waitedUs = waitedForProcessors() ?? 0;
  return () => performance.now() - startedAt - ((waitedForProcessors() ?? 0) - waitedUs) / 1_000;
}
