import { isCluster, type RedisConnection } from './connection';

/**
 * Writes the commands that `send` gives to the connection in one piece. Each alone costs us a system call, and Redis a
 * turn of its event loop, at the end of which it syncs its file.
 * @param send sends before it returns
 */
export function writeTogether(redis: RedisConnection, send: () => void): void {
  // There is none before the first connection: the commands wait in the client then. A cluster has one for each node.
  const nodes = isCluster(redis) ? redis.nodes('master') : [redis];
  const streams = nodes.map(({ stream }) => stream);
  for (const stream of streams) stream?.cork();
  try {
    send();
  } finally {
    for (const stream of streams) stream?.uncork();
  }
}
