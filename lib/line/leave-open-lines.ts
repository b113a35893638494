import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Gives up a user's places in all lines and draws that are not over, and forgets device and network of all that no longer
 * compete for anything. Places that were drawn or admitted already run out by themselves.
 */
export async function leaveOpenLines(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE line_entries l SET left_at = now() FROM sales s
    WHERE s.id = l.sale_id AND s.closed_at IS NULL AND l.user_id = ${userId}
      AND l.left_at IS NULL AND l.entered_at IS NULL AND l.place IS NULL`;
  await tx.$executeRaw`
    UPDATE line_entries l SET device = NULL, network = NULL FROM sales s
    WHERE s.id = l.sale_id AND l.user_id = ${userId} AND (l.left_at IS NOT NULL OR s.closed_at IS NOT NULL)
      AND (l.device IS NOT NULL OR l.network IS NOT NULL)`;
}
