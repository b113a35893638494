import 'server-only';
import { db } from '@/lib/db/client';
import { log } from '@/lib/http/log';

/**
 * Marks the account whose address is refused. Keeps the moment of an earlier refusal.
 * @throws connection errors
 */
export async function markRefused(email: string): Promise<void> {
  await db()
    .$executeRaw`UPDATE users SET mail_refused_at = now() WHERE email = ${email} AND mail_refused_at IS NULL`;
}

/**
 * Takes the mark away, unless it is less than a day old: a server that takes every mail, and sends it back when it can't
 * deliver it, has done so by then.
 * @throws connection errors
 */
async function markAccepted(email: string): Promise<void> {
  await db().$executeRaw`
    UPDATE users SET mail_refused_at = NULL WHERE email = ${email} AND mail_refused_at < now() - interval '1 day'`;
}

/**
 * Notes on the account whether the mail server takes mails to its address. Never rejects, because the mail has its answer
 * already.
 */
export async function noteMailAnswer(email: string, answer: 'accepted' | 'refused'): Promise<void> {
  try {
    await (answer === 'refused' ? markRefused(email) : markAccepted(email));
  } catch (err) {
    log.warn({ answer, err }, 'the answer of the mail server was not noted');
  }
}
