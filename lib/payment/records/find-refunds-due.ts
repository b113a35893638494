import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 100;

/**
 * Returns up to 100 payments whose money, or a part of it, has been due back for more than a minute, oldest first: the
 * message that should refund them has missed them.
 */
export async function findRefundsDue(except: readonly string[] = []): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, updated_at AS since FROM payments
      WHERE status = 'refund_due' AND updated_at < now() - interval '1 minute'
      UNION ALL
      SELECT 'pay_' || order_id, min(asked_at) FROM refund_parts
      WHERE sent_at IS NULL AND asked_at < now() - interval '1 minute' GROUP BY order_id) due
    WHERE id <> ALL (${[...except]}::text[])
    GROUP BY id ORDER BY min(since) LIMIT ${BATCH}`;
  return rows.map(({ id }) => id);
}
