import 'server-only';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { announceLeftTurns } from './left-turns';

/** The number of the lock; any number that no other code uses. */
const LOCK = 0x6c6566747475726en;

/**
 * Gives up a place; again changes nothing. If it was used to enter, its entry token ends with it, in this process at once,
 * in every process within a second.
 * @returns when it was left, epoch ms; null if there never was one
 * @throws connection errors
 */
export async function leaveLine(saleId: string, userId: string): Promise<number | null> {
  const gone = await transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ number: number; left_at: Date; entered_at: Date | null }[]>`
      UPDATE line_entries SET left_at = clock_timestamp() WHERE sale_id = ${saleId} AND user_id = ${userId} AND left_at IS NULL
      RETURNING number, left_at, entered_at`;
    if (row?.entered_at) {
      // Makes the changes take turns, so that their numbers commit in order.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
      await tx.$executeRaw`
        UPDATE line_entries SET turn_left_change = nextval('line_entries_turn_left_seq')
        WHERE sale_id = ${saleId} AND number = ${row.number}`;
    }
    return row;
  });
  if (gone?.entered_at) await announceLeftTurns();
  if (gone) return gone.left_at.getTime();
  const [before] = await db().$queryRaw<{ left_at: Date | null }[]>`
    SELECT max(left_at) AS left_at FROM line_entries WHERE sale_id = ${saleId} AND user_id = ${userId}`;
  return before?.left_at?.getTime() ?? null;
}
