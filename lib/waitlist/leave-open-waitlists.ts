import 'server-only';
import { db } from '@/lib/db/client';
import { leaveInDatabase } from './leave-in-database';
import { leaveInRedis } from './leave-in-redis';

/**
 * Gives up a user's places in the waitlists of all sales that are not over. A unit that came before stays.
 * @throws connection errors; calling again goes on where this ended
 */
export async function leaveOpenWaitlists(userId: string): Promise<void> {
  const open = await db().$queryRaw<{ saleId: string }[]>`
    SELECT DISTINCT w.sale_id AS "saleId" FROM waitlist_entries w JOIN sales s ON s.id = w.sale_id
    WHERE w.user_id = ${userId} AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
      AND s.closed_at IS NULL`;
  for (const { saleId } of open) {
    // Redis first, so that no unit comes any more; and again, because a rebuild may have put the place back.
    await leaveInRedis(saleId, userId);
    await leaveInDatabase(saleId, userId);
    await leaveInRedis(saleId, userId);
  }
}
