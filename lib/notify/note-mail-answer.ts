import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';

/**
 * Notes on the account whether the mail server takes mails to its address: since when it refuses them, until one is
 * accepted. Never rejects, because the mail has its answer already.
 */
export async function noteMailAnswer(email: string, answer: 'accepted' | 'refused'): Promise<void> {
  try {
    if (answer === 'refused')
      await db()
        .$executeRaw`UPDATE users SET mail_refused_at = now() WHERE email = ${email} AND mail_refused_at IS NULL`;
    else
      await db()
        .$executeRaw`UPDATE users SET mail_refused_at = NULL WHERE email = ${email} AND mail_refused_at IS NOT NULL`;
  } catch (err) {
    log.warn({ answer, err }, 'the answer of the mail server was not noted');
  }
}
