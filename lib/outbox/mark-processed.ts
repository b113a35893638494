import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Claims messages for a consumer, in the transaction of their effect. A concurrent claim of the same message waits
 * here until the other transaction has ended.
 * @param messageIds sorted, so that two batches that overlap can't lock each other out.
 * @returns those that were not processed before.
 */
export async function markProcessed(
  tx: Db,
  consumer: string,
  messageIds: readonly string[],
): Promise<Set<string>> {
  // Which ones is of interest only when some are missing: a row per message is what this would otherwise cost most.
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
