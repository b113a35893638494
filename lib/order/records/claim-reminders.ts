import 'server-only';
import type { Db } from '@/lib/db/client';

const BATCH = 200;
/**
 * The earliest a reminder may come before the deadline. It comes when a third of the time to pay is left, or this
 * much if that is less.
 */
const LATEST_SEC = 300;

/**
 * Takes up to 200 orders that are still unpaid when a third of their time to pay is left (at most 5 minutes), and
 * marks each as reminded, so that it comes once. By the database's clock; safe side by side.
 */
export async function claimReminders(tx: Db): Promise<{ orderNo: string; saleId: string }[]> {
  return tx.$queryRaw`
    WITH due AS (
      SELECT shard, id FROM orders
      WHERE status = 'pending_payment' AND pay_by > now() AND pay_by <= now() + make_interval(secs => ${LATEST_SEC}::int)
        AND pay_by - (pay_by - created_at) / 3 <= now() AND reminded_at IS NULL
      ORDER BY pay_by LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    )
    UPDATE orders o SET reminded_at = now() FROM due WHERE o.shard = due.shard AND o.id = due.id
    RETURNING o.id::text AS "orderNo", o.sale_id AS "saleId"`;
}
