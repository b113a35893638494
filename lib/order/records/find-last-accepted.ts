import 'server-only';
import { db } from '@/lib/db/client';
import { ORDER_EPOCH_MS } from '@/lib/ids/order-no';

const STATUSES = ['pending_payment', 'paid', 'cancelled', 'refunded', 'failed'];
/** How many orders are compared. Purchases at about the same moment are not accepted in the order of their numbers. */
const OVERTAKEN = 50;

/**
 * Returns when the last purchase of a sale before a moment was accepted, among the written orders (epoch ms); null if
 * none was. Reads a few rows off an index for each status and partition, however many orders there are.
 */
export async function findLastAccepted(saleId: string, beforeMs: number): Promise<number | null> {
  // The number is issued a moment before the purchase is accepted, and numbers sort by time.
  const below = BigInt(Math.max(0, Math.floor(beforeMs) + 1 - ORDER_EPOCH_MS)) << 22n;
  const [last] = await db().$queryRaw<{ at: Date | null }[]>`
    SELECT max(found.accepted_at) AS at FROM unnest(${STATUSES}::text[]) AS s (status), LATERAL (
      SELECT accepted_at FROM orders WHERE sale_id = ${saleId} AND status = s.status AND id < ${below}::bigint
      ORDER BY id DESC LIMIT ${OVERTAKEN}) found
    WHERE found.accepted_at <= to_timestamp((${beforeMs}::double precision + 0.5) / 1000)`;
  return last?.at?.getTime() ?? null;
}
