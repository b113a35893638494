import 'server-only';
import { db } from '@/lib/db/client';
import { findInDatabase } from './find-in-database';
import type { CancelResult } from './types';

/**
 * Cancels a user's reservation in Postgres, by whose clock this is possible until the window closes (epoch ms).
 * Cancelling again changes nothing.
 * @param inRedis true if Redis need not learn of it, because the stock lives in Postgres; false while Redis is down,
 *   and the worker tells it later.
 * @throws connection errors. Then the outcome is unknown; asking again tells it.
 */
export async function cancelInDatabase(
  saleId: string,
  userId: string,
  closesAt: number,
  inRedis: boolean,
): Promise<CancelResult> {
  const [row] = await db().$queryRaw<{ cancelledAt: Date }[]>`
    UPDATE reservations
    SET cancelled_at = greatest(clock_timestamp()::timestamptz(3), reserved_at + interval '1 millisecond'),
        in_redis = ${inRedis}
    WHERE sale_id = ${saleId} AND user_id = ${userId} AND cancelled_at IS NULL
      AND clock_timestamp() < ${new Date(closesAt)}
    RETURNING cancelled_at AS "cancelledAt"`;
  if (row) return { status: 'cancelled', cancelledAt: row.cancelledAt.getTime() };
  const known = await findInDatabase(saleId, userId);
  if (!known) return { status: 'not_reserved' };
  return known.cancelledAt === null
    ? { status: 'closed' }
    : { status: 'already_cancelled', cancelledAt: known.cancelledAt };
}
