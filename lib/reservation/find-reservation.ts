import 'server-only';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { STRATEGIES } from '@/lib/contract/words/sale';
import { isOutage } from '@/lib/errors/is-outage';
import { findInDatabase } from '@/lib/reservation/records/find-in-database';
import { findInRedis } from '@/lib/reservation/records/find-in-redis';
import { putReservation } from '@/lib/reservation/records/put-reservation';

/**
 * Returns when a user reserved in a sale, epoch ms; null if no reservation stands. If Redis does not know one, looks
 * it up in Postgres and tells Redis, so that a reservation made while Redis was down is not turned away. While Redis
 * is down Postgres answers alone.
 * @throws connection errors; also if Redis is down and Postgres knows of no reservation: it may be on its way there.
 */
export async function findReservation(
  { saleId, strategy }: Pick<SaleInfo, 'saleId' | 'strategy'>,
  userId: string,
): Promise<number | null> {
  if (STRATEGIES[strategy].stock === 'postgres') return standing(await findInDatabase(saleId, userId));
  try {
    const reservedAt = await findInRedis(saleId, userId);
    if (reservedAt !== null) return reservedAt;
  } catch (error) {
    if (!isOutage(error)) throw error;
    const known = await findInDatabase(saleId, userId);
    if (!known) throw error;
    return standing(known);
  }
  const known = await findInDatabase(saleId, userId);
  if (standing(known) === null || !known) return null;
  await putReservation(saleId, known);
  // Redis may know of a later cancellation.
  return findInRedis(saleId, userId);
}

const standing = (change: { reservedAt: number; cancelledAt: number | null } | null): number | null =>
  change?.cancelledAt === null ? change.reservedAt : null;
