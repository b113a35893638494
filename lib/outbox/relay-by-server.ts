import 'server-only';
import type { Cluster } from 'ioredis';
import { serverOf } from '@/lib/redis/ask-server-of';
import { keys } from '@/lib/redis/keys';
import type { Pace } from './create-pace';
import { groupBy } from './group-by';
import { readOpenSales } from './open-sales';
import { pause } from './pause';
import { readApart } from './read-apart';
import { type OrderRelayOptions, type Outboxes, runRelay } from './run-relay';

const REFRESH_MS = 1_000;

/**
 * Relays the outboxes of a cluster, in a loop for each server that holds some: a server that is away holds up no other's
 * purchases. Sales that move to another server move to its loop within a second. While the list of sales can't be
 * read, the last one counts.
 */
export async function relayByServer(
  redis: Cluster,
  options: OrderRelayOptions & { pace: Pace },
  signal: AbortSignal,
): Promise<void> {
  let saleIds: string[] = [];
  let sales = new Map<string, string[]>();
  const loops = new Map<string, { stop: AbortController; done: Promise<void> }>();
  while (!signal.aborted) {
    saleIds = await readOpenSales().catch((err: unknown) => {
      options.log.warn({ consumer: options.consumer, err }, 'the list of outboxes could not be read');
      return saleIds;
    });
    sales = groupBy(saleIds, (saleId) => serverOf(redis, keys.outbox(saleId)));
    for (const [server, { stop }] of loops) if (!sales.has(server)) stop.abort();
    for (const server of sales.keys()) {
      if (loops.has(server)) continue;
      const stop = new AbortController();
      const outboxes = outboxesOf(async () => sales.get(server) ?? []);
      const done = runRelay(options, outboxes, AbortSignal.any([signal, stop.signal]));
      loops.set(server, { stop, done: done.finally(() => loops.delete(server)) });
    }
    await pause(REFRESH_MS, signal);
  }
  await Promise.all([...loops.values()].map(({ done }) => done));
}

const outboxesOf = (listSales: Outboxes['listSales']): Outboxes => ({
  listSales,
  read: readApart(),
  reconnect: () => {},
  close: () => {},
});
