import 'server-only';
import { WRITTEN_STATUSES } from '@/lib/contract/words/order';
import { db } from '@/lib/db/client';
import { lowestOrderNoAt } from '@/lib/ids/order-no';

/** How many orders are compared. Purchases at about the same moment are not accepted in the order of their numbers. */
const OVERTAKEN = 50;

/**
 * Returns when the last purchase of a sale before a moment was accepted, among the written orders (epoch ms); null if
 * none was. Reads a few rows off an index for each status and partition, however many orders there are.
 */
export async function findLastAccepted(saleId: string, beforeMs: number): Promise<number | null> {
  // The number is issued a moment before the purchase is accepted, and numbers sort by time.
  const below = lowestOrderNoAt(beforeMs + 1);
  const [last] = await db().$queryRaw<{ at: Date | null }[]>`
    SELECT max(found.accepted_at) AS at FROM unnest(${[...WRITTEN_STATUSES]}::text[]) AS s (status), LATERAL (
      SELECT accepted_at FROM orders WHERE sale_id = ${saleId} AND status = s.status AND id < ${below}::bigint
      ORDER BY id DESC LIMIT ${OVERTAKEN}) found
    WHERE found.accepted_at <= to_timestamp((${beforeMs}::double precision + 0.5) / 1000)`;
  return last?.at?.getTime() ?? null;
}
