import 'server-only';
import { readStopToken } from '@/lib/account/stop-mails-link';
import type { MailTopic } from '@/lib/contract/words/mail-topic';
import { db } from '@/lib/db/client';

/**
 * Mutes the topic that the link of a mail names, for that mail's reader. Twice is once.
 * @returns the topic; null if the link is not ours
 */
export async function stopMails(token: string): Promise<MailTopic | null> {
  const meant = readStopToken(token);
  if (!meant) return null;
  const { userId, topic } = meant;
  // One statement: two links pressed at once both count.
  await db().$executeRaw`
    UPDATE users SET muted_mails = ARRAY(SELECT unnest(muted_mails || ${topic}::text) ORDER BY 1)
    WHERE id = ${userId} AND NOT ${topic}::text = ANY(muted_mails)`;
  return topic;
}
