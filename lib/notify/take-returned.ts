import 'server-only';
import type { ReturnedOutcome } from '@/lib/contract/shapes/mail';
import { MAIL_TOPICS } from '@/lib/contract/words/mail';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';
import { markRefused } from './note-mail-answer';
import { readReturned } from './read-returned';
import { isRecipient } from './recipient-proof';

/**
 * Applies a mail that came back. A refused address marks its account, as a refusal while sending does; a complaint mutes
 * all mails that can be muted. Twice is once.
 * @param raw as the mail server got it
 * @throws connection errors
 */
export async function takeReturned(raw: Buffer): Promise<ReturnedOutcome> {
  const returned = await readReturned(raw);
  const email = returned?.recipients.find((address) => isRecipient(address, returned.proof))?.toLowerCase();
  if (!returned || !email) return 'ignored';
  if (returned.says === 'refused') await markRefused(email);
  else
    await db().user.updateMany({ where: { email, deletedAt: null }, data: { mutedMails: [...MAIL_TOPICS] } });
  log.info({ says: returned.says }, 'a mail came back');
  return returned.says;
}
