import { retireClosedSales } from '@/lib/checkout/retire-closed-sales';
import { repeatSales } from '@/lib/desk/demo/repeat-sales';
import { env } from '@/lib/env';
import { pruneMessages } from '@/lib/outbox/prune-messages';

/** Something a worker does again and again. Every worker does it: it must be safe side by side, or take a lease. */
export type Job = { name: string; everyMs: number; run: () => Promise<unknown> };

/** The worker's recurring jobs besides the relays. */
export const workerJobs = (): readonly Job[] => [
  { name: 'retire-closed-sales', everyMs: 10_000, run: retireClosedSales },
  { name: 'prune-messages', everyMs: 3_600_000, run: pruneMessages },
  ...(env().isDemo ? [repeatSales] : []),
];
