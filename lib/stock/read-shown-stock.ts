import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { stocksAt } from '@/lib/slice/slices-of';
import { readMoving } from './read-moving';
import { sumUp, unlessAway } from './sum-up';
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
  const slices = sumUp(await unlessAway([first, ...others].map(readOne)));
  if (!slices) return null;
  const { read } = slices;
  const moving = slices.available === 0 ? await readMoving([first, ...others]) : 0;
  const [total, available] = [slices.total + moving, slices.available + moving];
  const [paused, closed] = [read.some((one) => one.paused), read.every((one) => one.closed)];
  return { ...read[0], total, available, paused, closed };
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
