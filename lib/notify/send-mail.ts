import { limitMs } from '@/lib/time-limits';
import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import { isDeletedEmail } from '@/lib/contract/words/deleted-email';
import { TOPIC_OF } from '@/lib/contract/words/mail';
import { env } from '@/lib/env';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { blamesAddress } from './blames-address';
import { formatMail } from './format-mail';
import { noteMailAnswer } from './note-mail-answer';
import { PROOF_HEADER, proveRecipient } from './recipient-proof';
import { renderMail } from './render-mail';
import type { MailParts, Notice, StopLinks } from './types';

const MAX_CONNECTIONS = 4;

let smtp: Transporter | undefined;

function transport(url: string): Transporter {
  smtp ??= createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: limitMs('mailConnect'),
    greetingTimeout: limitMs('mailConnect'),
    socketTimeout: limitMs('mailSilence'),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return smtp;
}

/** A mail to a user with an account. */
type Mail = MailParts & { key: string; email: string };

/** Sends a notice by mail, as `deliverMail` does. Sends nothing of a topic that its reader has muted. */
export async function sendMail(notice: Notice): Promise<void> {
  const { key, email, kind, mutedMails } = notice;
  const topic = TOPIC_OF[kind];
  if (topic && mutedMails.includes(topic)) return;
  return deliverMail({ key, email, ...formatMail(notice, env().publicUrl) });
}

/**
 * Sends a mail: to `SMTP_URL`, or into a file `<key>.eml` in `MAIL_DIR` if none is set. Sending it again writes the
 * same file; over SMTP it carries the same Message-ID, by which mail programs recognise it. Sends nothing to a deleted
 * account. An account whose address the server refuses for good is marked until it accepts one a day later.
 * @throws MessageRefused if the server will never take this mail (a 5xx to its recipient or content); anything else
 *   means "not now", also a refusal of the shop as its sender: that concerns every mail.
 */
export async function deliverMail({ key, email, ...parts }: Mail): Promise<void> {
  if (isDeletedEmail(email)) return;
  const { publicUrl, mailFrom, smtpUrl, mailDir } = env();
  const host = new URL(publicUrl).hostname;
  const id = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const mail = {
    from: mailFrom,
    to: { name: '', address: email },
    messageId: `<${id}@${host}>`,
    subject: parts.subject,
    ...renderMail(parts),
    // Keeps the addresses in a mail readable in its source, whatever its language.
    textEncoding: 'quoted-printable' as const,
    headers: {
      'Auto-Submitted': 'auto-generated',
      [PROOF_HEADER]: proveRecipient(email),
      ...stopHeaders(parts.stop),
    },
  };
  if (smtpUrl === undefined) return writeMail(mailDir, `${key.replace(/[^\w-]/g, '_')}.eml`, mail);
  try {
    await transport(smtpUrl).sendMail(mail);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (isAddressRefused(error)) await noteMailAnswer(email, 'refused');
    throw new MessageRefused(`${email}: ${error.message}`, { cause: error });
  }
  await noteMailAnswer(email, 'accepted');
}

/** With these a press in the mail program stops such mails (RFC 8058). */
const stopHeaders = (stop?: StopLinks) =>
  stop && {
    'List-Unsubscribe': `<${stop.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/**
 * Tells whether the server refuses this mail for good. Wrong credentials, or a sender who may not send, are a 5xx too, but they
 * are the shop's fault.
 */
function isRefusal(error: unknown): error is SmtpError {
  if (!(error instanceof Error)) return false;
  const { code, command, responseCode = 0 } = error as SmtpError;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM' && responseCode >= 500;
}

/** Tells whether a refusal is about the recipient's address. */
const isAddressRefused = ({ command, response = '' }: SmtpError): boolean =>
  command === 'RCPT TO' && blamesAddress(response);

/**
 * Writes the mail under another name in the same folder and then renames it, so that a reader of the folder never
 * sees half a mail.
 */
async function writeMail(dir: string, name: string, mail: object): Promise<void> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error('the mail was not made in memory');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const temporary = join(dir, `.${randomUUID()}`);
  await writeFile(temporary, message, { mode: 0o600 });
  await rename(temporary, join(dir, name));
}

/** Closes idle connections to the mail server. For processes that end. */
export function closeMail(): void {
  smtp?.close();
  smtp = undefined;
}
