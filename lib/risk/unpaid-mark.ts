import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Up to which moment unpaid orders have been counted, epoch ms; null where that is not known. */
export async function readUnpaidMark(): Promise<number | null> {
  const text = await cacheRedis().get(keys.riskUnpaidMark());
  return text === null ? null : Number(text);
}

/** Notes it, in the Redis that holds the counts: one that was lost is counted anew with them. */
export async function writeUnpaidMark(atMs: number): Promise<void> {
  await cacheRedis().set(keys.riskUnpaidMark(), atMs);
}
