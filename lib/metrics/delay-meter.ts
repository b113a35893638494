import { nowMs } from '@/lib/clock';
import { type Durations, emptyDurations, observe } from './histogram';

// Orders are written by Next's bundle and reported by the server around it, each with a copy of this module.
const holder = globalThis as typeof globalThis & { seckillDelays?: Durations };

/** From accepted purchases to their orders, as far as this process wrote them. */
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
