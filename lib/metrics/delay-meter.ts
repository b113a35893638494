import { nowMs } from '@/lib/clock';
import { type Durations, emptyDurations, observe } from './histogram';

// Next's bundle writes the orders, and the server around it reports the delays. Each has its own copy of this module.
const holder = globalThis as typeof globalThis & { seckillDelays?: Durations };

/** Returns the delays from accepted purchases to their orders, for the orders that this process wrote. */
export function readDelays(): Durations {
  holder.seckillDelays ??= emptyDurations();
  return holder.seckillDelays;
}

/** Counts orders that were just written. @param orders `acceptedAt` in ms, by Redis's clock */
export function countWritten(orders: readonly { acceptedAt: number }[]): void {
  const now = nowMs();
  const delays = readDelays();
  for (const { acceptedAt } of orders) observe(delays, Math.max(0, now - acceptedAt));
}
