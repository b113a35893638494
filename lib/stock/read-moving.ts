import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';

/** Reads how many units are on their way between slices: while there are any, a sale has not sold out. */
export async function readMoving(stocks: readonly string[]): Promise<number> {
  const sent = await Promise.all(stocks.map((stockId) => stockRedis().hget(keys.sale(stockId), 'sent')));
  return sent.reduce((units, text) => units + Number(text ?? 0), 0);
}
