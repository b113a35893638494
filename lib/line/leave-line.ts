import 'server-only';
import { db } from '@/lib/db/client';
import { TURN_MS } from './types';

/** `in_turn`: the place was used to enter and can't be given up before that turn is over. Times in epoch ms. */
export type LeaveResult =
  | { status: 'left'; leftAt: number }
  | { status: 'in_turn'; until: number }
  | { status: 'not_in_line' };

/**
 * Gives up a place; again changes nothing. Whoever has entered stays until the turn is over: the entry token buys until
 * then, so the place could be nobody else's, and the device and network that it counts for would have two.
 * @throws connection errors
 */
export async function leaveLine(saleId: string, userId: string): Promise<LeaveResult> {
  const [gone] = await db().$queryRaw<{ left_at: Date }[]>`
    UPDATE line_entries SET left_at = now() WHERE sale_id = ${saleId} AND user_id = ${userId} AND left_at IS NULL
      AND (entered_at IS NULL OR entered_at <= now() - make_interval(secs => ${TURN_MS / 1_000}))
    RETURNING left_at`;
  if (gone) return { status: 'left', leftAt: gone.left_at.getTime() };
  // Read afterwards: the place may have been used while the statement above waited for its row.
  const [latest] = await db().$queryRaw<{ entered_at: Date | null; left_at: Date | null }[]>`
    SELECT entered_at, left_at FROM line_entries WHERE sale_id = ${saleId} AND user_id = ${userId} ORDER BY number DESC LIMIT 1`;
  if (!latest) return { status: 'not_in_line' };
  if (latest.left_at) return { status: 'left', leftAt: latest.left_at.getTime() };
  // Joined meanwhile, in another tab.
  if (!latest.entered_at) return leaveLine(saleId, userId);
  return { status: 'in_turn', until: latest.entered_at.getTime() + TURN_MS };
}
