import 'server-only';
import { timeAt } from '@/lib/redis/ask-server-of';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { timeMs } from '@/lib/redis/time-ms';
import { type Bought, parseBought } from './bought';
import { isId } from './check-ids';
import { parsePurchaseReply } from './parse-purchase-reply';
import type { PurchaseResult } from './purchase-stock';

/** A purchase that a user asked for in a sale of the queue strategy. `refusal` is null while it is undecided. */
export type QueuedPurchase = Bought & { refusal: PurchaseResult | null };

/**
 * Reads what became of a purchase in a sale of the queue strategy; null if it is neither undecided nor refused: accepted,
 * too long ago, or never asked for. To learn that it was accepted, read the buyers after this: the two change in one step.
 * @throws Error on a record it can't understand, connection errors.
 */
export async function readAsked(
  saleId: string,
  userId: string,
  orderNo: string,
): Promise<QueuedPurchase | null> {
  if (!isId(saleId) || !isId(userId)) return null;
  const text = await stockRedis().hget(keys.asked(saleId), userId);
  for (const part of text?.split(';') ?? []) {
    const words = part.split(',');
    const answer = words.pop() ?? '';
    const bought = parseBought(words);
    if (bought?.orderNo !== orderNo) continue;
    const refusal = answer === 'u' ? null : parsePurchaseReply('decide-queue-5', answer.split(':'), orderNo);
    return { ...bought, refusal };
  }
  return null;
}

/** Counts the purchases of a sale that nobody has decided yet, and how long the oldest has waited, ms; 0 if there is none. */
export async function readUndecided(saleId: string): Promise<{ count: number; oldestAgeMs: number }> {
  const redis = stockRedis();
  const key = keys.queue(saleId);
  const [count, oldest, time] = await Promise.all([
    redis.xlen(key),
    redis.xrange(key, '-', '+', 'COUNT', 1),
    timeAt(redis, key),
  ]);
  const id = oldest[0]?.[0];
  return { count, oldestAgeMs: id ? Math.max(0, timeMs(time) - Number(id.split('-')[0])) : 0 };
}
