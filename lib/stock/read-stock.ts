import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { isId } from './check-ids';
import type { Stock } from './types';

const FIELDS = [
  'startsAt',
  'endsAt',
  'limit',
  'epoch',
  'total',
  'available',
  'held',
  'sold',
  'paused',
  'closed',
  'gate',
  'soldOutAt',
];
const NUMBER_FIELDS = 8;

/**
 * Reads a sale's stock and settings with the Redis clock, in one round trip (both commands share a pipeline).
 * @returns null if the sale isn't warm, or `saleId` can't be an id.
 * @throws Error if the hash is incomplete, connection errors.
 */
export async function readStock(saleId: string): Promise<Stock | null> {
  if (!isId(saleId)) return null;
  const [redis, key] = [stockRedis(), keys.sale(saleId)];
  const [time, values] = await Promise.all([timeAt(redis, key), redis.hmget(key, ...FIELDS)]);
  if (values[FIELDS.indexOf('epoch')] === null) return null;

  const numbers = values
    .slice(0, NUMBER_FIELDS)
    .map((value) => (value === null ? Number.NaN : Number(value)));
  const [startsAt = 0, endsAt = 0, limit = 0, epoch = 0, total = 0, available = 0, held = 0, sold = 0] =
    numbers;
  const [paused, closed, gate, soldOutAt] = values.slice(NUMBER_FIELDS);
  if (!numbers.every(Number.isSafeInteger) || !gate) throw new Error(`${keys.sale(saleId)} is incomplete`);
  return {
    serverTime: Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000),
    startsAt,
    endsAt,
    paused: paused === '1',
    closed: closed === '1',
    gate,
    limit,
    epoch,
    total,
    available,
    held,
    sold,
    soldOutAt: available === 0 && soldOutAt ? Number(soldOutAt) : null,
  };
}
