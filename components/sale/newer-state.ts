import type { SaleState } from '@/lib/contract/shapes/sale';

/** An answer older than this by its own time is not late: the server's clock was set back. */
const LATE_MS = 5000;

/**
 * Decides which of two states to believe. A stream and a poll overtake each other, and caches may answer a second
 * late; that must not make the gate disappear again.
 */
export function newerState(known: SaleState | undefined, incoming: SaleState): SaleState {
  if (!known) return incoming;
  const lateMs = known.serverTime - incoming.serverTime;
  return lateMs > 0 && lateMs < LATE_MS ? known : incoming;
}
