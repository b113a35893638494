import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { checkStockId } from './check-ids';

/**
 * Reads what Redis lets these users have in one stock of a campaign with a limit, in their order. Whoever Redis does not
 * know may have nothing: 0; what is no number is NaN. @throws TypeError on an impossible id, connection errors
 */
export async function readAllowances(stockId: string, userIds: readonly string[]): Promise<number[]> {
  checkStockId(stockId);
  if (userIds.length === 0) return [];
  const texts = await stockRedis().hmget(keys.allowances(stockId), ...userIds);
  return texts.map((text) => (text === null ? 0 : Number.parseInt(text, 10)));
}
