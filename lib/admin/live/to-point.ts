import type { Live, LivePoint } from '@/lib/contract/shapes/live';

/** What of a second is drawn over time. */
export const toPoint = ({ at, attempts, orders, queue }: Live): LivePoint => ({
  at,
  ...attempts,
  written: orders.written,
  outbox: queue.outbox,
  relayLagMs: queue.relayLagMs,
});
