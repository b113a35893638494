import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { parseBuyerRecords } from './buyer-record';
import type { Situation } from './decide-purchase';
import { StockCorruptError } from './run-stock-script';
import { UNLIMITED } from './types';

/** The format that `parts/write-rules.lua` writes: startsAt endsAt limit epoch flags gate. */
const RULES = /^(\d+) (\d+) (\d+) (\d+) ([01])([01])[01]([01])([01]?) ([A-Za-z0-9_-]+)$/;

export type SeenSituation = Situation & {
  epoch: number;
  held: number;
  /** The text that was read. The write compares it with what Redis holds by then. */
  seen: string;
  record: string;
};

/**
 * Reads everything that decides a purchase, with plain commands. The commands share a round trip but don't run at one
 * instant, so the write that follows compares.
 * @returns null if the sale isn't warm.
 * @throws StockCorruptError if the tiers don't add up, Error on rules or records it can't understand.
 */
export async function readSituation(saleId: string, userId: string): Promise<SeenSituation | null> {
  const redis = stockRedis();
  const [fields, record, time, isReserved] = await Promise.all([
    redis.hmget(keys.sale(saleId), 'rules', 'total', 'available', 'held', 'sold'),
    redis.hget(keys.buyers(saleId), userId),
    timeAt(redis, keys.sale(saleId)),
    redis.hexists(keys.reserved(saleId), userId),
  ]);
  const [rules, ...tiers] = fields;
  if (rules === null || rules === undefined) return null;
  const match = RULES.exec(rules);
  if (!match) throw new Error(`${keys.sale(saleId)} has rules that can't be read: ${rules.slice(0, 200)}`);
  const [total = NaN, available = NaN, held = NaN, sold = NaN] = tiers.map((text) =>
    text ? Number(text) : NaN,
  );
  const isUnlimited = total === UNLIMITED && available === UNLIMITED;
  const addsUp = isUnlimited || (available >= 0 && available + held + sold === total);
  if (![held, sold].every((units) => Number.isSafeInteger(units) && units >= 0) || !addsUp) {
    throw new StockCorruptError(`available + held + sold ≠ total in ${keys.sale(saleId)}`);
  }
  const [, startsAt, endsAt, limit, epoch, closed, paused, reservedOnly, awaited, gate = ''] = match;
  return {
    serverTime: Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000),
    startsAt: Number(startsAt),
    endsAt: Number(endsAt),
    limit: Number(limit),
    epoch: Number(epoch),
    closed: closed === '1',
    paused: paused === '1',
    isAwaited: awaited === '1',
    gate,
    lacksReservation: reservedOnly === '1' && isReserved === 0,
    total,
    available,
    held,
    records: record === null ? [] : parseBuyerRecords(record),
    seen: fields.join('|'),
    record: record ?? '',
  };
}
