import 'server-only';
import { Redis } from 'ioredis';
import { trackConnection } from '@/lib/redis/client';
import { limitMs } from '@/lib/time-limits';

const RECONNECT_MAX_MS = 500;

/**
 * Connects to the independent nodes of a multi-node lock. Commands fail at once while a node is down or silent, because
 * the other nodes decide. `closeRedis`, or the caller, closes the connections. A node must keep its locks over a
 * restart, or stay away for the longest time to live (decision 009). Otherwise two holders can each win a majority.
 * @param urls an odd number of `redis://` addresses.
 * @returns the connections, after one try to reach each node.
 */
export async function openLockNodes(urls: readonly string[]): Promise<Redis[]> {
  const nodes = urls.map(
    (url) =>
      new Redis(url, {
        lazyConnect: true,
        enableOfflineQueue: false,
        // A node counts as ready only after it has answered: the system accepts connections even for a stopped
        // process.
        enableReadyCheck: true,
        maxRetriesPerRequest: 0,
        connectTimeout: limitMs('lockNodeConnect'),
        commandTimeout: limitMs('lockNodeCommand'),
        socketTimeout: limitMs('lockNodeSilence'),
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
