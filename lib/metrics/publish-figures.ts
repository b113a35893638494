import 'server-only';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { nowMs } from '@/lib/clock';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { CAPABILITIES } from './capabilities';
import { processSamples, readTotals, type Totals } from './process-figures';
import { createRecentTotals } from './recent-totals';
import type { Sample } from './sample';

/** `web` owns the socket, `next` renders behind it. */
type ProcessRole = 'web' | 'next' | 'worker';

/** One process as it described itself. `recent`: what it counted in the last minute. */
export type ProcessFigures = {
  id: string;
  host: string;
  role: ProcessRole;
  at: number;
  /** The abilities of its release. The release before the first of them reports none. */
  capabilities?: readonly string[];
  samples: Sample[];
  recent: Totals;
};

export const PUBLISH_EVERY_MS = 5_000;
const KEEP_SEC = 120;

/**
 * Creates a function that publishes this process's figures to the others, in Redis.
 * @returns a function that publishes them once; it throws connection errors.
 */
export function createPublisher(role: ProcessRole): () => Promise<void> {
  const host = hostname();
  const id = `${process.pid}-${randomUUID().slice(0, 4)}`;
  const recentTotals = createRecentTotals();
  return async () => {
    const figures: ProcessFigures = {
      id,
      host,
      role,
      at: nowMs(),
      capabilities: CAPABILITIES,
      samples: processSamples(),
      recent: recentTotals(readTotals(), performance.now()),
    };
    const key = keys.processFigures();
    const redis = cacheRedis();
    await Promise.all([
      redis.hset(key, `${host}/${id}`, JSON.stringify(figures)),
      redis.expire(key, KEEP_SEC),
    ]);
  };
}

/** Publishes every 5 s for as long as the process lives. While Redis is away, skips it. */
export function keepPublishing(role: ProcessRole): void {
  const publish = createPublisher(role);
  const tell = () => void publish().catch(() => {});
  tell();
  setInterval(tell, PUBLISH_EVERY_MS).unref();
}
