import { nowMs } from '@/lib/clock';
import { processWide } from '@/lib/process-wide';
import { type Durations, emptyDurations, observe } from './histogram';

const delays = processWide('delays', emptyDurations);

/** Returns the delays from accepted purchases to their orders, for the orders that this process wrote. */
export const readDelays = (): Durations => delays;

/** Counts orders that were just written. @param orders `acceptedAt` in ms, by Redis's clock */
export function countWritten(orders: readonly { acceptedAt: number }[]): void {
  const now = nowMs();
  for (const { acceptedAt } of orders) observe(delays, Math.max(0, now - acceptedAt));
}
