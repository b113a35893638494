import 'server-only';
import { db } from '@/lib/db/client';
import { RETRIED } from './report-problem';

/** Returns which of these messages of a consumer are dead letters that staff closed for good, with a reason. */
export async function findDiscarded(consumer: string, messageIds: readonly string[]): Promise<Set<string>> {
  const rows = await db().deadLetter.findMany({
    where: { consumer, messageId: { in: [...messageIds] }, resolvedAt: { not: null } },
    select: { messageId: true, resolution: true },
  });
  return new Set(rows.flatMap(({ messageId, resolution }) => (resolution === RETRIED ? [] : [messageId])));
}
