import 'server-only';
import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 500;
/** A node that is slow is a node that is down; waiting for it would use up the lock's time on the others. */
const COMMAND_TIMEOUT_MS = 100;
const RECONNECT_MAX_MS = 500;

/**
 * Connections to the independent nodes of a multi-node lock. Unlike the product's other connections these fail at once
 * while a node is down: the others decide. The caller closes them.
 *
 * A node must not forget its locks when it is restarted (`appendonly yes`, `appendfsync always`), or must stay away for
 * the longest time to live; otherwise two holders can each find a majority.
 * @param urls an odd number of `redis://` addresses.
 * @returns after every node was tried once.
 */
export async function openLockNodes(urls: readonly string[]): Promise<Redis[]> {
  const nodes = urls.map(
    (url) =>
      new Redis(url, {
        lazyConnect: true,
        enableOfflineQueue: false,
        enableReadyCheck: false,
        maxRetriesPerRequest: 0,
        connectTimeout: CONNECT_TIMEOUT_MS,
        commandTimeout: COMMAND_TIMEOUT_MS,
        retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_MAX_MS),
        autoResendUnfulfilledCommands: false,
        disableClientInfo: true,
      }),
  );
  for (const node of nodes) node.on('error', () => undefined);
  await Promise.allSettled(nodes.map((node) => node.connect()));
  return nodes;
}
