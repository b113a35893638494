import 'server-only';
import { db } from '@/lib/db/client';

const BATCH = 100;

/**
 * Returns up to 100 payments whose money has been due back for more than a minute, oldest first: the message that
 * should refund them has missed them.
 */
export async function findRefundsDue(except: readonly string[] = []): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM payments
    WHERE status = 'refund_due' AND updated_at < now() - interval '1 minute' AND id <> ALL (${[...except]}::text[])
    ORDER BY updated_at LIMIT ${BATCH}`;
  return rows.map(({ id }) => id);
}
