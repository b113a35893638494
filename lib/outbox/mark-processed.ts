import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Claims messages for a consumer, in the transaction of their effect. A concurrent claim of the same message waits
 * here until the other transaction has ended.
 * @param messageIds sorted, so that two overlapping batches can't deadlock.
 * @returns those that were not processed before.
 */
export async function markProcessed(
  tx: Db,
  consumer: string,
  messageIds: readonly string[],
): Promise<Set<string>> {
  // Asks for the ids only when some are missing: returning a row per message would be the largest cost here.
  const [marked] = await tx.$queryRaw<{ fresh: string[] | null }[]>`
    WITH fresh AS (
      INSERT INTO processed_messages (consumer, message_id)
      SELECT ${consumer}, message_id FROM unnest(${messageIds}::text[]) AS i (message_id)
      ON CONFLICT DO NOTHING
      RETURNING message_id
    )
    SELECT CASE WHEN count(*) < cardinality(${messageIds}::text[])
                THEN coalesce(array_agg(message_id), '{}') END AS fresh FROM fresh`;
  return new Set(marked?.fresh ?? messageIds);
}
