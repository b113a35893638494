import 'server-only';
import type { Redis } from 'ioredis';
import { env } from '@/lib/env';
import { processWide } from '@/lib/process-wide';
import { cacheRedis } from '@/lib/redis/client';
import { openLockNodes } from './lock-nodes';

const held = processWide('lock-servers', (): { opening?: Promise<readonly Redis[]> } => ({}));

/** Thrown while so few lock servers can be reached that no lock can be had. */
export class LockServersDownError extends Error {
  /** By this `isOutage` knows it. */
  readonly code = 'ECONNREFUSED';

  constructor(reachable: number, all: number) {
    super(`only ${reachable} of ${all} lock servers can be reached`);
    this.name = 'LockServersDownError';
  }
}

/**
 * The servers that hold the locks of purchases: those of `LOCK_REDIS_URLS`, else the cache Redis. Connected at first use,
 * one connection each per process; `closeRedis` closes them.
 * @throws LockServersDownError at once while no majority of the named ones can be reached.
 */
export async function lockServers(): Promise<readonly Redis[]> {
  const { lockRedisUrls } = env();
  if (lockRedisUrls.length === 0) return [cacheRedis()];
  held.opening ??= open(lockRedisUrls);
  const nodes = await held.opening;
  const reachable = nodes.filter(({ status }) => status === 'ready').length;
  if (reachable <= nodes.length / 2) throw new LockServersDownError(reachable, nodes.length);
  return nodes;
}

async function open(urls: readonly string[]): Promise<readonly Redis[]> {
  const nodes = await openLockNodes(urls);
  // A connection ends for good only when somebody closes it; the next use then opens all of them anew.
  nodes[0]?.once('end', () => {
    held.opening = undefined;
  });
  return nodes;
}
