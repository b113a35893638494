import 'server-only';
import { db } from '@/lib/db/client';
import { findInDatabase } from './find-in-database';
import type { ReservationWindow, ReserveResult } from './types';

/**
 * Reserves for a user in Postgres, whose clock decides whether the window is open: one statement, checked by row
 * count.
 * @param inRedis true if Redis need not learn of it, because the stock lives in Postgres; false while Redis is down,
 *   and the worker tells it later.
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function reserveInDatabase(
  saleId: string,
  userId: string,
  { opensAt, closesAt }: ReservationWindow,
  inRedis: boolean,
): Promise<ReserveResult> {
  const [opens, closes] = [new Date(opensAt), new Date(closesAt)];
  const rows = await db().$queryRaw<{ reservedAt: Date | null; isOpen: boolean }[]>`
    WITH clock AS MATERIALIZED (SELECT clock_timestamp()::timestamptz(3) AS now), written AS (
      INSERT INTO reservations (sale_id, user_id, reserved_at, in_redis)
      SELECT ${saleId}, ${userId}, now, ${inRedis} FROM clock WHERE now >= ${opens} AND now < ${closes}
      ON CONFLICT (sale_id, user_id) DO UPDATE
      SET reserved_at = greatest(EXCLUDED.reserved_at, reservations.cancelled_at + interval '1 millisecond'),
          cancelled_at = NULL, in_redis = EXCLUDED.in_redis
      WHERE reservations.cancelled_at IS NOT NULL
      RETURNING reserved_at
    )
    SELECT reserved_at AS "reservedAt", now >= ${opens} AS "isOpen" FROM clock LEFT JOIN written ON true`;
  const { reservedAt = null, isOpen = false } = rows[0] ?? {};
  if (reservedAt) return { status: 'reserved', reservedAt: reservedAt.getTime() };
  const standing = await findInDatabase(saleId, userId);
  if (standing?.cancelledAt === null) return { status: 'already_reserved', reservedAt: standing.reservedAt };
  return { status: isOpen ? 'closed' : 'not_open' };
}
