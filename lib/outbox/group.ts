import 'server-only';
import type { Redis } from 'ioredis';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { saleOf } from '@/lib/slice/numbers/stock-ids';
import type { RawEntry } from './types';

/** The one consumer group of every outbox. */
export const GROUP = 'relay';

/** Creates the group of a sale's outbox, which reads from the first entry on; also creates the stream. Idempotent. */
export async function ensureGroup(saleId: string): Promise<void> {
  try {
    await stockRedis().xgroup('CREATE', keys.outbox(saleId), GROUP, '0', 'MKSTREAM');
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
  }
}

/** Acknowledges and deletes entries in one step. */
export async function acknowledge(stockId: string, entryIds: readonly string[]): Promise<void> {
  if (entryIds.length === 0) return;
  const key = keys.outbox(stockId);
  const results = await stockRedis()
    .multi()
    .xack(key, GROUP, ...entryIds)
    .xdel(key, ...entryIds)
    .exec();
  for (const [error] of results ?? []) if (error) throw error;
}

/** Tells the other relays that `consumer` is still working on these entries. Does not count as a delivery. */
export async function keepClaim(
  stockId: string,
  consumer: string,
  entryIds: readonly string[],
): Promise<void> {
  // The compiler can't choose among the many forms of this command for two clients at once.
  const redis: Pick<Redis, 'xclaim'> = stockRedis();
  await redis.xclaim(keys.outbox(stockId), GROUP, consumer, 0, ...entryIds, 'JUSTID');
}

/** The shape ioredis gives to stream entries: `[[id, [field, value, …]], …]`; fields are null for deleted ones. */
export type StreamReply = [string, string[] | null][];

/** Turns entries of a sale's or a slice's outbox into records; leaves out those deleted meanwhile. */
export function toEntries(stockId: string, reply: StreamReply): RawEntry[] {
  const saleId = saleOf(stockId);
  return reply.flatMap(([entryId, list]) => {
    if (list === null) return [];
    const fields: Record<string, string> = {};
    for (let at = 0; at + 1 < list.length; at += 2) fields[list[at] ?? ''] = list[at + 1] ?? '';
    return [{ saleId, stockId, entryId, fields }];
  });
}
