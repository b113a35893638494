import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { isStockId } from './check-ids';
import { readSlicesTogether } from './read-slices-together';
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
  'variants',
];
const NUMBER_FIELDS = 8;

/**
 * Reads a sale's stock and settings with the Redis clock, in one round trip (both commands share a pipeline). Of a split
 * sale adds up the slices; those of a server that is away are left out, as long as others have units.
 * @returns null if the sale isn't warm, or `saleId` can't be an id.
 * @throws Error if the hash is incomplete, connection errors.
 */
export async function readStock(saleId: string): Promise<Stock | null> {
  if (!isStockId(saleId)) return null;
  const [first = saleId, ...others] = await stocksAt(saleId);
  if (others.length === 0) return readOne(first);
  const slices = await readSlicesTogether([first, ...others], readOne);
  if (!slices) return null;
  const { read, ...all } = slices;
  const sum = (tier: 'held' | 'sold') => read.reduce((units, stock) => units + stock[tier], 0);
  return {
    ...read[0],
    ...all,
    held: sum('held'),
    sold: sum('sold'),
    soldOutAt: all.available === 0 ? Math.max(0, ...read.map((stock) => stock.soldOutAt ?? 0)) || null : null,
  };
}

async function readOne(stockId: string): Promise<Stock | null> {
  const [redis, key] = [stockRedis(), keys.sale(stockId)];
  const [time, values] = await Promise.all([timeAt(redis, key), redis.hmget(key, ...FIELDS)]);
  if (values[FIELDS.indexOf('epoch')] === null) return null;

  const numbers = values
    .slice(0, NUMBER_FIELDS)
    .map((value) => (value === null ? Number.NaN : Number(value)));
  const [startsAt = 0, endsAt = 0, limit = 0, epoch = 0, total = 0, available = 0, held = 0, sold = 0] =
    numbers;
  const [paused, closed, gate, soldOutAt, variants] = values.slice(NUMBER_FIELDS);
  if (!numbers.every(Number.isSafeInteger) || !gate) throw new Error(`${keys.sale(stockId)} is incomplete`);
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
    ...(variants && { variants: variants.split(' ').map(Number) }),
  };
}
