import 'server-only';
import { db } from '@/lib/db/client';

/** Which of these messages of a consumer are dead letters that somebody has dealt with. */
export async function findResolved(consumer: string, messageIds: readonly string[]): Promise<Set<string>> {
  const rows = await db().deadLetter.findMany({
    where: { consumer, messageId: { in: [...messageIds] }, resolvedAt: { not: null } },
    select: { messageId: true },
  });
  return new Set(rows.map(({ messageId }) => messageId));
}
