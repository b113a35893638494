import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { GROUP, type StreamReply, toEntries } from './group';
import { infoRecord } from './info-record';
import { MAX_BATCH } from './order-batch';
import type { RawEntry } from './types';

/** A consumer that has no entries and has not asked for this long is gone. Every process has a new consumer name. */
const CONSUMER_GONE_MS = 3_600_000;

/**
 * Takes over up to 500 entries that a relay got at least `minIdleMs` ago and has not acknowledged: that relay is
 * dead, or has lost its connection.
 */
export async function claimAbandoned(
  stockId: string,
  consumer: string,
  minIdleMs: number,
): Promise<RawEntry[]> {
  const reply = (await stockRedis().xautoclaim(
    keys.outbox(stockId),
    GROUP,
    consumer,
    minIdleMs,
    '0',
    'COUNT',
    MAX_BATCH,
  )) as [string, StreamReply, ...unknown[]];
  return toEntries(stockId, reply[1]);
}

/** Removes dead relays from the group of a sale, so that they don't add up with every restart. */
export async function forgetGoneConsumers(stockId: string): Promise<void> {
  const redis = stockRedis();
  const key = keys.outbox(stockId);
  const reply = (await redis.xinfo('CONSUMERS', key, GROUP)) as unknown[][];
  for (const consumer of reply.map(infoRecord)) {
    if (consumer.pending === 0 && Number(consumer.idle) > CONSUMER_GONE_MS) {
      await redis.xgroup('DELCONSUMER', key, GROUP, String(consumer.name));
    }
  }
}
