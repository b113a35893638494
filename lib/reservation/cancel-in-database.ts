import 'server-only';
import { db } from '@/lib/db/client';
import { findInDatabase } from './find-in-database';
import type { CancelResult } from './types';

/**
 * Cancels a user's reservation in Postgres, until the window closes (epoch ms) by its clock. Cancelling again changes
 * nothing.
 * @param inRedis whether Redis has nothing to learn: false while it is down, and the worker tells it later.
 * @throws connection errors. The outcome is open then: asking again tells it.
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
