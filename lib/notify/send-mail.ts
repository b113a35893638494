import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import { env } from '@/lib/env';
import { MessageRefused } from '@/lib/outbox/message-refused';
import { renderMail } from './render-mail';
import { sayNotice } from './say-notice';
import type { MailText, Notice, SaleNotice, StopLinks } from './types';

/** Bounds connecting. Connecting, greeting and sending must all fit into the 60 s for which a message is claimed. */
const CONNECT_TIMEOUT_MS = 5_000;
const SOCKET_TIMEOUT_MS = 15_000;
const MAX_CONNECTIONS = 4;

/** No mail reaches such an address (RFC 2606): deleted accounts have one. */
const NOWHERE = '.invalid';

let smtp: Transporter | undefined;

function transport(url: string): Transporter {
  smtp ??= createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return smtp;
}

/** A mail to somebody. Mails with the same key are the same mail. */
type Mail = MailText & { key: string; email: string };

/**
 * Sends a notice by mail, as `deliverMail` does.
 * @param timeZone of its times; null: UTC @param stop where its reader stops such mails; undefined: they can't be stopped
 */
export function sendMail(
  notice: Notice | SaleNotice,
  { timeZone = null, stop }: { timeZone?: string | null; stop?: StopLinks } = {},
): Promise<void> {
  const { key, email } = notice;
  return deliverMail({ key, email, ...sayNotice(notice, env().publicUrl, timeZone), stop });
}

/**
 * Sends a mail: to `SMTP_URL`, or into a file `<key>.eml` in `MAIL_DIR` if none is set. Sending it again writes the
 * same file; over SMTP it carries the same Message-ID, by which mail programs recognise it.
 * @throws MessageRefused if the server will never take this mail (a 5xx to its recipient or content); anything else
 *   means "not now".
 */
export async function deliverMail({ key, email, ...said }: Mail): Promise<void> {
  if (email.endsWith(NOWHERE)) return;
  const { publicUrl, mailFrom, smtpUrl, mailDir } = env();
  const host = new URL(publicUrl).hostname;
  const id = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const mail = {
    from: mailFrom,
    to: { name: '', address: email },
    messageId: `<${id}@${host}>`,
    ...renderMail(said),
    // Keeps the addresses in a mail readable in its source, whatever its language.
    textEncoding: 'quoted-printable' as const,
    headers: { 'Auto-Submitted': 'auto-generated', ...stopHeaders(said.stop) },
  };
  if (smtpUrl === undefined) return writeMail(mailDir, `${key.replace(/[^\w-]/g, '_')}.eml`, mail);
  try {
    await transport(smtpUrl).sendMail(mail);
  } catch (error) {
    if (isRefusal(error)) throw new MessageRefused(error.message, { cause: error });
    throw error;
  }
}

/** One press in the mail program stops such mails (RFC 8058). */
const stopHeaders = (stop?: StopLinks) =>
  stop && { 'List-Unsubscribe': `<${stop.oneClick}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Tells whether the server refuses this mail for good. Wrong credentials are a 5xx too, but they are the shop's fault. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, responseCode = 0 } = error as Error & { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500;
}

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
