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
  const rows = await tx.$queryRaw<{ message_id: string }[]>`
    INSERT INTO processed_messages (consumer, message_id)
    SELECT ${consumer}, message_id FROM unnest(${messageIds}::text[]) AS i (message_id)
    ON CONFLICT DO NOTHING
    RETURNING message_id`;
  return new Set(rows.map((row) => row.message_id));
}
