import 'server-only';
import { within } from '@/lib/errors/within';
import type { RedisConnection } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { limitMs } from '@/lib/time-limits';
import { GROUP, toEntries } from './group';
import { MAX_BATCH } from './order-batch';
import { pause } from './pause';
import type { RawEntry } from './types';

export type ReadOptions = { consumer: string; blockMs: number; lingerMs: number };

/**
 * Waits up to `blockMs` for new entries of any of the sales, then `lingerMs` more if they don't fill an event. A burst
 * does not pay for the second wait. A lone order waits 20 ms longer; in return there are hundreds of times fewer
 * events.
 * @param redis a blocking connection of the caller's own.
 * @returns at most 999 entries per sale.
 */
export async function readEntries(
  redis: RedisConnection,
  stockIds: readonly string[],
  { consumer, blockMs, lingerMs }: ReadOptions,
): Promise<Map<string, RawEntry[]>> {
  const batches = await readGroup(redis, stockIds, consumer, MAX_BATCH, blockMs);
  const count = [...batches.values()].reduce((sum, entries) => sum + entries.length, 0);
  if (count === 0 || count >= MAX_BATCH) return batches;
  await pause(lingerMs);
  for (const [stockId, entries] of await readGroup(redis, stockIds, consumer, MAX_BATCH))
    batches.set(stockId, [...(batches.get(stockId) ?? []), ...entries]);
  return batches;
}

/** Reads new entries of sales once; on a cluster of one sale. Waits `blockMs` for them if that is given. */
export async function readGroup(
  redis: RedisConnection,
  stockIds: readonly string[],
  consumer: string,
  count: number,
  blockMs?: number,
): Promise<Map<string, RawEntry[]>> {
  const streams = [...stockIds.map(keys.outbox), ...stockIds.map(() => '>')];
  const asked =
    blockMs === undefined
      ? redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'STREAMS', ...streams)
      : redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'BLOCK', blockMs, 'STREAMS', ...streams);
  // A blocking connection has no timeout of its own.
  const reply = await within((blockMs ?? 0) + limitMs('outboxSilence'), 'the outbox', asked);
  const stockOf = new Map(stockIds.map((stockId) => [keys.outbox(stockId), stockId]));
  return new Map(
    (reply ?? []).map(([key, entries]) => {
      const stockId = stockOf.get(key) ?? key;
      return [stockId, toEntries(stockId, entries)];
    }),
  );
}
