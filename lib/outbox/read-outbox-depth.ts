import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { timeMs } from '@/lib/redis/time-ms';
import { stocksAt } from '@/lib/slice/numbers/slices-of';

/** `oldestAgeMs` is 0 when nothing waits. */
export type OutboxDepth = { depth: number; oldestAgeMs: number };

/**
 * Counts the accepted purchases of a sale that the executor has not yet taken, and returns how long the oldest has
 * waited, in ms. Acknowledged entries are deleted, so the stream's length counts the unread ones and those a relay is
 * working on. Of a split sale all slices are counted, unless `saleId` names one that is not the first.
 */
export async function readOutboxDepth(saleId: string): Promise<OutboxDepth> {
  const outboxes = await Promise.all((await stocksAt(saleId)).map(readOne));
  return {
    depth: outboxes.reduce((sum, { depth }) => sum + depth, 0),
    oldestAgeMs: Math.max(...outboxes.map(({ oldestAgeMs }) => oldestAgeMs)),
  };
}

async function readOne(stockId: string): Promise<OutboxDepth> {
  const redis = stockRedis();
  const key = keys.outbox(stockId);
  const [depth, oldest, time] = await Promise.all([
    redis.xlen(key),
    redis.xrange(key, '-', '+', 'COUNT', 1),
    timeAt(redis, key),
  ]);
  const entryId = oldest[0]?.[0];
  if (entryId === undefined) return { depth, oldestAgeMs: 0 };
  return { depth, oldestAgeMs: Math.max(0, timeMs(time) - Number(entryId.split('-')[0])) };
}
