import { processWide } from '@/lib/process-wide';
import 'server-only';
import type { Redis } from 'ioredis';
import { nodeRedis, stockRedis } from './client';
import { isCluster } from './connection';

const held = processWide('stock-replicas', () => new Map<string, Redis>());
const REPLICA = /^slave\d+:ip=([^,]+),port=(\d+),/gm;

/**
 * Returns connections to the replicas of the stock Redis, as its primaries name them now. Some may not be up: what they
 * are asked then fails. @throws connection errors
 */
export async function stockReplicas(): Promise<Redis[]> {
  const stock = stockRedis();
  if (isCluster(stock)) return stock.nodes('slave');
  const told = await stock.info('replication');
  const named = new Set([...told.matchAll(REPLICA)].map(([, host, port]) => `${host}:${port}`));
  for (const [name, redis] of held) {
    if (named.has(name) && redis.status !== 'end') continue;
    redis.disconnect();
    held.delete(name);
  }
  for (const name of named) if (!held.has(name)) held.set(name, nodeRedis(name));
  return [...held.values()];
}
