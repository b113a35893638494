import 'server-only';
import type { OutboxFlow } from '@/lib/contract/shapes/queue';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { timeMs } from '@/lib/redis/time-ms';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { GROUP } from './group';
import { infoRecord } from './info-record';

const NOTHING: OutboxFlow = { depth: 0, pending: 0, oldestAgeMs: 0, taken: 0 };

/**
 * Reads the state of a sale's outbox and its consumer group. Acknowledged entries are deleted, so the entries ever
 * added minus those present have been taken. A split sale has one for each slice. @throws connection errors
 */
export async function readFlow(saleId: string): Promise<OutboxFlow> {
  const flows = await Promise.all((await stocksAt(saleId)).map(readOne));
  const sum = (count: 'depth' | 'pending' | 'taken') => flows.reduce((all, flow) => all + flow[count], 0);
  const oldestAgeMs = Math.max(...flows.map((flow) => flow.oldestAgeMs));
  return { depth: sum('depth'), pending: sum('pending'), oldestAgeMs, taken: sum('taken') };
}

async function readOne(stockId: string): Promise<OutboxFlow> {
  const redis = stockRedis();
  const key = keys.outbox(stockId);
  const [stream, groups, time] = await Promise.all([
    unlessMissing(redis.xinfo('STREAM', key)),
    unlessMissing(redis.xinfo('GROUPS', key)),
    timeAt(redis, key),
  ]);
  if (stream.length === 0) return NOTHING;
  const info = infoRecord(stream);
  const group = groups.map((list) => infoRecord(list as unknown[])).find(({ name }) => name === GROUP);
  const [firstId] = (info['first-entry'] ?? []) as [string?];
  const depth = Number(info.length);
  return {
    depth,
    pending: Number(group?.pending ?? 0),
    oldestAgeMs: firstId === undefined ? 0 : Math.max(0, timeMs(time) - Number(firstId.split('-')[0])),
    taken: Number(info['entries-added']) - depth,
  };
}

/** An outbox that does not exist yet counts as empty. */
async function unlessMissing(reply: Promise<unknown>): Promise<unknown[]> {
  try {
    return (await reply) as unknown[];
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('ERR no such key')) return [];
    throw error;
  }
}
