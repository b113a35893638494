import type { SaleState } from '@/lib/contract/shapes/sale';

/** Older than this by its own clock, an answer isn't late: the server's clock was set back. */
const LATE_MS = 5000;

/**
 * Which of two states to believe. A stream and a poll overtake each other, and caches may answer a second late; the gate
 * must not vanish again because of that.
 */
export function newerState(known: SaleState | undefined, incoming: SaleState): SaleState {
  if (!known) return incoming;
  const lateMs = known.serverTime - incoming.serverTime;
  return lateMs > 0 && lateMs < LATE_MS ? known : incoming;
}
