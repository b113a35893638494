import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Reads how many wait for units of a sale, and whether more may join; null: it is not loaded, or has no waitlist. */
export async function readList(saleId: string): Promise<{ waiting: number; isOpen: boolean } | null> {
  const redis = stockRedis();
  const [setting, waiting] = await Promise.all([
    redis.hget(keys.sale(saleId), 'waitlist'),
    redis.zcard(keys.waitlist(saleId)),
  ]);
  return setting ? { waiting, isOpen: setting === '1' } : null;
}
