import 'server-only';
import type { UnpaidOrder } from '@/lib/order/records/find-unpaid';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** How much is read again, ms: a transaction may commit this long after the time it wrote. */
const OVERLAP_MS = 60_000;

/** Returns from when on unpaid orders have to be read, epoch ms; null if it is not known. */
export async function readUnpaidMark(): Promise<number | null> {
  const text = await cacheRedis().get(keys.riskUnpaidMark());
  return text === null ? null : Number(text) - OVERLAP_MS;
}

/** Leaves out the orders that have been counted before. */
export async function withoutCounted(orders: readonly UnpaidOrder[]): Promise<UnpaidOrder[]> {
  if (orders.length === 0) return [];
  const numbers = orders.map(({ orderNo }) => orderNo);
  const counted = await cacheRedis().zmscore(keys.riskUnpaidCounted(), ...numbers);
  return orders.filter((_, at) => counted[at] === null);
}

/**
 * Notes that orders have been counted and acted on. In the Redis that holds the counts: if it loses all of this, they are counted
 * again.
 * @param orders one at least @param lastMs the moment up to which all have been counted, epoch ms
 */
export async function noteCounted(orders: readonly UnpaidOrder[], lastMs: number): Promise<void> {
  const scored = orders.flatMap(({ orderNo, cancelledAt }) => [cancelledAt, orderNo]);
  await cacheRedis().zadd(keys.riskUnpaidCounted(), ...scored);
  // Another worker may still read from an earlier mark.
  await cacheRedis().zremrangebyscore(keys.riskUnpaidCounted(), '-inf', lastMs - 2 * OVERLAP_MS);
  await cacheRedis().set(keys.riskUnpaidMark(), lastMs);
}
