import 'server-only';
import { Redis } from 'ioredis';
import { trackConnection } from '@/lib/redis/client';

const CONNECT_TIMEOUT_MS = 500;
/** A slow node counts as down: waiting for it would use up the time of the lock on the others. */
const COMMAND_TIMEOUT_MS = 100;
/** A node that has been silent for this long counts as away until it answers again: locks then cost nothing for it. */
const SILENCE_TIMEOUT_MS = 500;
const RECONNECT_MAX_MS = 500;

/**
 * Connects to the independent nodes of a multi-node lock. Commands fail at once while a node is down or silent, unlike on
 * the product's other connections: the other nodes decide. `closeRedis` closes them, or the caller does.
 *
 * A node must keep its locks over a restart (`appendonly yes`, `appendfsync always`), or stay away for the longest time to
 * live; otherwise two holders can each win a majority.
 * @param urls an odd number of `redis://` addresses.
 * @returns after one try to reach each node.
 */
export async function openLockNodes(urls: readonly string[]): Promise<Redis[]> {
  const nodes = urls.map(
    (url) =>
      new Redis(url, {
        lazyConnect: true,
        enableOfflineQueue: false,
        // Ready is who has answered: a stopped process still lets the system accept connections for it.
        enableReadyCheck: true,
        maxRetriesPerRequest: 0,
        connectTimeout: CONNECT_TIMEOUT_MS,
        commandTimeout: COMMAND_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_MAX_MS),
        autoResendUnfulfilledCommands: false,
        disableClientInfo: true,
      }),
  );
  for (const node of nodes) {
    node.on('error', () => undefined);
    trackConnection(node);
  }
  await Promise.allSettled(nodes.map((node) => node.connect()));
  return nodes;
}
