import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** When a user reserved, epoch ms, as Redis knows; null if no reservation stands there. @throws connection errors. */
export async function findInRedis(saleId: string, userId: string): Promise<number | null> {
  const reservedAt = await stockRedis().hget(keys.reserved(saleId), userId);
  return reservedAt === null ? null : Number(reservedAt);
}
