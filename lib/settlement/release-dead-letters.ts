import 'server-only';
import { findUnreleased, markReleased } from '@/lib/outbox/unreleased-dead-letters';
import { releaseStock } from '@/lib/stock/release-stock';
import { groupByStock } from './group-by-stock';

/**
 * Gives back the units of purchases that ended as dead letters, then notes it. Includes those that staff tried to
 * revive without finishing within a minute. Idempotent, at most 100 at a time.
 * @param filter only these orders; without it, any older than 10 s (the sweep).
 * @returns how many there were.
 */
export async function releaseDeadLetters(filter: { orderNos?: readonly string[] } = {}): Promise<number> {
  const letters = await findUnreleased(filter.orderNos ?? null);
  if (letters.length === 0) return 0;
  const { inRedis } = await groupByStock(letters.map(({ id: _, ...order }) => order));
  await Promise.all(inRedis.map((order) => releaseStock(order)));
  await markReleased(letters.map(({ id }) => id));
  return letters.length;
}
