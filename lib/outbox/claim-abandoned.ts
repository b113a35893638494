import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { GROUP, type StreamReply, toEntries } from './group';
import { infoRecord } from './info-record';
import { MAX_BATCH } from './order-batch';
import type { RawEntry } from './types';

/** A consumer without entries that has not asked for this long is gone; names are new with every process. */
const CONSUMER_GONE_MS = 3_600_000;

/**
 * Takes over up to 500 entries that were handed to a relay at least `minIdleMs` ago and not acknowledged since:
 * that relay is dead, or has lost its connection.
 */
export async function claimAbandoned(
  saleId: string,
  consumer: string,
  minIdleMs: number,
): Promise<RawEntry[]> {
  const reply = (await stockRedis().xautoclaim(
    keys.outbox(saleId),
    GROUP,
    consumer,
    minIdleMs,
    '0',
    'COUNT',
    MAX_BATCH,
  )) as [string, StreamReply, ...unknown[]];
  return toEntries(reply[1]);
}

/** Removes relays that are gone from the group of a sale, so that restarts don't add up. */
export async function forgetGoneConsumers(saleId: string): Promise<void> {
  const redis = stockRedis();
  const key = keys.outbox(saleId);
  const reply = (await redis.xinfo('CONSUMERS', key, GROUP)) as unknown[][];
  for (const consumer of reply.map(infoRecord)) {
    if (consumer.pending === 0 && Number(consumer.idle) > CONSUMER_GONE_MS) {
      await redis.xgroup('DELCONSUMER', key, GROUP, String(consumer.name));
    }
  }
}
