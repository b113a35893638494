import 'server-only';
import {
  findUnreleased,
  markReleased,
  type UnreleasedDeadLetter,
} from '@/lib/outbox/unreleased-dead-letters';
import { releaseStock } from '@/lib/stock/release-stock';
import { groupByStock } from './group-by-stock';

/**
 * Gives back the units of these orders whose purchases ended as dead letters, then notes it. Idempotent, at most 100 at a time.
 * @returns how many there were.
 */
export async function releaseDeadLetters(orderNos: readonly string[]): Promise<number> {
  const letters = await findUnreleased(orderNos);
  await releaseLetters(letters);
  return letters.length;
}

/** Gives back the units that dead letters may still hold, then notes it. Idempotent. */
export async function releaseLetters(letters: readonly UnreleasedDeadLetter[]): Promise<void> {
  if (letters.length === 0) return;
  const { inRedis } = await groupByStock(letters.map(({ id: _, ...order }) => order));
  await Promise.all(inRedis.map((order) => releaseStock(order)));
  await markReleased(letters.map(({ id }) => id));
}
