import 'server-only';
import type { Redis } from 'ioredis';
import { within } from '@/lib/errors/within';
import { keys } from '@/lib/redis/keys';
import { GROUP, toEntries } from './group';
import { MAX_BATCH } from './order-batch';
import { pause } from './pause';
import type { RawEntry } from './types';

/** A blocking connection has no timeout of its own. After this long without an answer the relay gives it up. */
const SILENCE_MS = 5_000;

type Options = { consumer: string; blockMs: number; lingerMs: number };

/**
 * Waits up to `blockMs` for new entries of any of the sales, then `lingerMs` more for batches to fill. A burst does
 * not pay for the second wait, because its batches are full. A lone order waits 20 ms longer; in return there are
 * hundreds of times fewer events.
 * @param redis a blocking connection of the caller's own.
 * @returns at most 500 entries per sale.
 */
export async function readEntries(
  redis: Redis,
  saleIds: readonly string[],
  { consumer, blockMs, lingerMs }: Options,
): Promise<Map<string, RawEntry[]>> {
  const batches = await readGroup(redis, saleIds, consumer, MAX_BATCH, blockMs);
  const unfilled = [...batches].filter(([, entries]) => entries.length < MAX_BATCH);
  if (unfilled.length === 0) return batches;
  await pause(lingerMs);
  const more = await Promise.all(
    unfilled.map(([saleId, entries]) => readGroup(redis, [saleId], consumer, MAX_BATCH - entries.length)),
  );
  for (const found of more) {
    for (const [saleId, entries] of found) batches.get(saleId)?.push(...entries);
  }
  return batches;
}

async function readGroup(
  redis: Redis,
  saleIds: readonly string[],
  consumer: string,
  count: number,
  blockMs?: number,
): Promise<Map<string, RawEntry[]>> {
  const streams = [...saleIds.map(keys.outbox), ...saleIds.map(() => '>')];
  const asked =
    blockMs === undefined
      ? redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'STREAMS', ...streams)
      : redis.xreadgroup('GROUP', GROUP, consumer, 'COUNT', count, 'BLOCK', blockMs, 'STREAMS', ...streams);
  const reply = await within((blockMs ?? 0) + SILENCE_MS, 'the outbox', asked);
  const saleOf = new Map(saleIds.map((saleId) => [keys.outbox(saleId), saleId]));
  return new Map((reply ?? []).map(([key, entries]) => [saleOf.get(key) ?? key, toEntries(entries)]));
}
