import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { countWorkers } from '@/lib/breaker/count-workers';
import { shareBriefly } from '@/lib/cache/share-briefly';
import type { Load, QueueOverview } from '@/lib/contract/shapes/queue';
import { env } from '@/lib/env';
import { isOutage } from '@/lib/errors/is-outage';
import { countQueues } from './count-queues';
import { ownSales } from './own-sales';
import { readOutboxes } from './read-outboxes';
import { suggestWorkers } from './suggest-workers';

const MAX_AGE_MS = 1_000;

/** Shared, because the count takes Postgres a while and every admin page asks every few seconds. */
const countAll = shareBriefly(MAX_AGE_MS, () => countQueues(null));

/** Counts what waits in the sales that the actor may see. */
export async function readOverview(actor: Actor): Promise<QueueOverview> {
  const [outbox, counts] = await Promise.all([
    readOutbox(actor).catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return null;
    }),
    ownSales(actor).then((sales) => (sales === null ? countAll('all') : countQueues(sales))),
  ]);
  return { outbox, ...counts };
}

async function readOutbox(actor: Actor): Promise<NonNullable<QueueOverview['outbox']>> {
  const [outboxes, workers] = await Promise.all([readOutboxes(actor), countWorkers()]);
  const rates = outboxes.flatMap(({ takenPerSec }) => takenPerSec ?? []);
  const load: Load = {
    backlog: outboxes.reduce((sum, { depth }) => sum + depth, 0),
    oldestAgeMs: Math.max(0, ...outboxes.map(({ oldestAgeMs }) => oldestAgeMs)),
    takenPerSec: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0),
    workers,
  };
  return { ...load, sales: outboxes.length, cap: env().backlogCap, suggestion: suggestWorkers(load) };
}
