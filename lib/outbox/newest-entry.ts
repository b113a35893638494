import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Returns the id of the newest entry in a sale's outbox; undefined if it is empty. @throws connection errors */
export async function newestEntry(stockId: string): Promise<string | undefined> {
  const [newest] = await stockRedis().xrevrange(keys.outbox(stockId), '+', '-', 'COUNT', 1);
  return newest?.[0];
}
