import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/numbers/slices-of';
import { readSlicesTogether } from './read-slices-together';
import type { Stock } from './types';

const FIELDS = ['startsAt', 'endsAt', 'total', 'available', 'paused', 'closed'] as const;

/** The part of a sale's stock that a list shows. */
export type ShownStock = Pick<Stock, (typeof FIELDS)[number]>;

/**
 * Reads like `readStock`, but only the fields that a list shows, and not the clock.
 * @returns null if the sale isn't warm.
 */
export async function readShownStock(saleId: string): Promise<ShownStock | null> {
  const [first = saleId, ...others] = await stocksAt(saleId);
  if (others.length === 0) return readOne(first);
  const slices = await readSlicesTogether([first, ...others], readOne);
  if (!slices) return null;
  const { read, ...all } = slices;
  return { ...read[0], ...all };
}

async function readOne(stockId: string): Promise<ShownStock | null> {
  const [startsAt, endsAt, total, available, paused, closed] = await stockRedis().hmget(
    keys.sale(stockId),
    ...FIELDS,
  );
  if (startsAt == null) return null;
  const [start, end, all, left] = [startsAt, endsAt, total, available].map((text) =>
    Number(text ?? Number.NaN),
  );
  if (![start, end, all, left].every(Number.isSafeInteger))
    throw new Error(`${keys.sale(stockId)} is incomplete`);
  return {
    startsAt: start as number,
    endsAt: end as number,
    total: all as number,
    available: left as number,
    paused: paused === '1',
    closed: closed === '1',
  };
}
