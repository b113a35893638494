import 'server-only';
import { env } from '@/lib/env';
import { OutageError } from '@/lib/errors/outage-error';
import { processWide } from '@/lib/process-wide';
import { cacheRedis } from '@/lib/redis/client';
import type { RedisConnection } from '@/lib/redis/connection';
import { openLockNodes } from './lock-nodes';

const held = processWide('lock-servers', (): { opening?: Promise<readonly RedisConnection[]> } => ({}));

/** Thrown while too few lock servers can be reached for any lock. */
class LockServersDownError extends OutageError {
  override name = 'LockServersDownError';

  constructor(reachable: number, all: number) {
    super(`only ${reachable} of ${all} lock servers can be reached`);
  }
}

/**
 * Returns the servers that hold the locks of purchases: those of `LOCK_REDIS_URLS`, else the cache Redis. Connects at
 * first use, with one connection per server and process; `closeRedis` closes them.
 * @throws LockServersDownError at once while no majority of the servers in `LOCK_REDIS_URLS` can be reached.
 */
export async function lockServers(): Promise<readonly RedisConnection[]> {
  const { lockRedisUrls } = env();
  if (lockRedisUrls.length === 0) return [cacheRedis()];
  held.opening ??= open(lockRedisUrls);
  const nodes = await held.opening;
  const reachable = nodes.filter(({ status }) => status === 'ready').length;
  if (reachable <= nodes.length / 2) throw new LockServersDownError(reachable, nodes.length);
  return nodes;
}

async function open(urls: readonly string[]): Promise<readonly RedisConnection[]> {
  const nodes = await openLockNodes(urls);
  // A connection ends for good only when it is closed on purpose. The next use then opens all of them again.
  nodes[0]?.once('end', () => {
    held.opening = undefined;
  });
  return nodes;
}
