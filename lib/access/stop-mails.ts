import 'server-only';
import { readStopMails } from '@/lib/account/stop-mails-link';
import type { MailTopic } from '@/lib/contract/words/mail';
import { db } from '@/lib/db/client';

/**
 * Mutes the topic that the link of a mail names, for its reader. Twice is once.
 * @returns the topic; null if the link is not ours
 * @throws connection errors
 */
export async function stopMails(token: string): Promise<MailTopic | null> {
  const meant = readStopMails(token);
  if (!meant) return null;
  const { userId, topic } = meant;
  // One statement, so that two links at once both count.
  await db().$executeRaw`
    UPDATE users SET muted_mails = muted_mails || ${topic}::text
    WHERE id = ${userId} AND deleted_at IS NULL AND NOT muted_mails @> ARRAY[${topic}::text]`;
  return topic;
}
