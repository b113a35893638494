import 'server-only';
import { blockingRedis, stockRedis } from '@/lib/redis/client';
import { isCluster } from '@/lib/redis/connection';
import { createPace } from './create-pace';
import { readOpenSales } from './open-sales';
import { readEntries } from './read-entries';
import { relayByServer } from './relay-by-server';
import { type OrderRelayOptions, type Outboxes, runRelay } from './run-relay';

export type { OrderRelayOptions } from './run-relay';

/**
 * Moves accepted purchases from the outboxes of all open sales to the executor, in events of at most 500, until
 * `signal` fires; then finishes the events in hand. Any number may run side by side. Survives it when Redis and the
 * executor go away and come back.
 */
export async function relayOrders(options: OrderRelayOptions, signal: AbortSignal): Promise<void> {
  const paced = { ...options, pace: options.pace ?? createPace() };
  const redis = stockRedis();
  if (isCluster(redis)) await relayByServer(redis, paced, signal);
  else await runRelay(paced, allOutboxes(), signal);
}

/** One command waits for the outboxes of all sales, on a connection of its own. */
function allOutboxes(): Outboxes {
  let redis = blockingRedis();
  return {
    listSales: readOpenSales,
    read: (saleIds, options) => readEntries(redis, saleIds, options),
    reconnect() {
      redis.disconnect();
      redis = blockingRedis();
    },
    close: () => redis.disconnect(),
  };
}
