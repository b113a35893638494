import type { SaleState } from '@/lib/contract/shapes/sale';

/**
 * The countdown shows the time to the start, nothing while the page waits for the gate, the time to the end, and then
 * nothing any more.
 */
export type CountdownPhase = 'before' | 'opening' | 'running' | 'over';

interface PhaseInput {
  state: SaleState | null;
  now: number | null;
  startsAt: number;
  endsAt: number;
}

/** Returns the sale's phase; never `running` before the server says so, whatever the page's clock shows. */
export function countdownPhase({ state, now, startsAt, endsAt }: PhaseInput): CountdownPhase {
  if (state?.status === 'ended' || (now !== null && now >= endsAt)) return 'over';
  if (state && state.status !== 'scheduled') return 'running';
  if (now !== null && now >= startsAt) return 'opening';
  return 'before';
}
