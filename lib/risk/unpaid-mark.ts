import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Returns the moment up to which unpaid orders have been counted, epoch ms; null if it is not known. */
export async function readUnpaidMark(): Promise<number | null> {
  const text = await cacheRedis().get(keys.riskUnpaidMark());
  return text === null ? null : Number(text);
}

/** Stores that moment in the Redis that holds the counts: if Redis loses both, the orders are counted again. */
export async function writeUnpaidMark(atMs: number): Promise<void> {
  await cacheRedis().set(keys.riskUnpaidMark(), atMs);
}
