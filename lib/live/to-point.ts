import type { Live, LivePoint } from '@/lib/contract/shapes/live';

/** Picks from a second's figures those that are drawn over time. */
export const toPoint = ({ at, attempts, orders, queue }: Live): LivePoint => ({
  at,
  ...attempts,
  written: orders.written,
  outbox: queue.outbox,
  relayLagMs: queue.relayLagMs,
});
