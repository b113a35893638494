import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Returns when a user reserved, epoch ms, from Redis; null if there is no reservation. @throws connection errors. */
export async function findInRedis(saleId: string, userId: string): Promise<number | null> {
  const reservedAt = await stockRedis().hget(keys.reserved(saleId), userId);
  return reservedAt === null ? null : Number(reservedAt);
}
