import 'server-only';
import { db } from '@/lib/db/client';
import type { ReservationChange } from './types';

/**
 * Writes changes of one sale's reservations into Postgres, in one statement. Rows with a later change stay, so any
 * worker may write them, in any order, again and again. Sorts them by user, so that two workers with the same changes
 * don't block each other. Skips users that don't exist: they could not buy either.
 * @throws connection errors; then nothing is written.
 */
export async function writeChanges(saleId: string, changes: readonly ReservationChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db().$executeRaw`
    INSERT INTO reservations (sale_id, user_id, reserved_at, cancelled_at)
    SELECT DISTINCT ON (i.user_id) s.id, u.id, to_timestamp(i.reserved_at / 1000.0), to_timestamp(i.cancelled_at / 1000.0)
    FROM unnest(${changes.map(({ userId }) => userId)}::text[],
                ${changes.map(({ reservedAt }) => reservedAt)}::double precision[],
                ${changes.map(({ cancelledAt }) => cancelledAt)}::double precision[])
           AS i (user_id, reserved_at, cancelled_at)
    JOIN sales s ON s.id = ${saleId}
    JOIN users u ON u.id = i.user_id
    ORDER BY i.user_id, coalesce(i.cancelled_at, i.reserved_at) DESC
    ON CONFLICT (sale_id, user_id) DO UPDATE
    SET reserved_at = EXCLUDED.reserved_at, cancelled_at = EXCLUDED.cancelled_at, in_redis = true
    WHERE coalesce(reservations.cancelled_at, reservations.reserved_at)
          < coalesce(EXCLUDED.cancelled_at, EXCLUDED.reserved_at)`;
}
