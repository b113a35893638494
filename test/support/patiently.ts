import type { RedisOptions } from 'ioredis';
import { cacheRedis, stockRedis } from '@/lib/redis/client';

/**
 * Does something during which no command to Redis is given up: on a busy machine very many at once outlast what one may
 * take, and then others would answer. For tests of what comes out, not of how soon; only with one Redis server.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const all = [...new Set([stockRedis(), cacheRedis()])].map(({ options }) => options as RedisOptions);
  const usual = all.map(({ commandTimeout }) => commandTimeout);
  for (const options of all) options.commandTimeout = 120_000;
  try {
    return await work();
  } finally {
    for (const [nth, options] of all.entries()) options.commandTimeout = usual[nth];
  }
}
