import type { SaleState } from '@/lib/contract/shapes/sale';

/** Caches keep no answer longer than this: one that is older by its own time shows that the server's clock was set back. */
const LATE_MS = 15_000;

/**
 * Decides which of two states to believe. A stream and a poll overtake each other, and caches may answer some
 * seconds late; that must not make the gate disappear again.
 */
export function newerState(known: SaleState | undefined, incoming: SaleState): SaleState {
  if (!known) return incoming;
  const lateMs = known.serverTime - incoming.serverTime;
  return lateMs > 0 && lateMs < LATE_MS ? known : incoming;
}
