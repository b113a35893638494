import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setting } from './commands';

const root = resolve(import.meta.dirname, '../..');

/** Returns the mails the running product has written about an order, by name; without their line breaks. */
export const mailsOf = (orderNo: string): Map<string, string> => mailsNamed(`-${orderNo}.eml`);

/** Returns the mails about an order that staff have had sent again. */
export const mailsAgainOf = (orderNo: string): string[] =>
  [...mailsNamed('.eml')].flatMap(([name, mail]) => (name.includes(`-${orderNo}-again-`) ? [mail] : []));

/** Returns the mail with which an account verifies its address; empty while there is none. */
export function verificationMailOf(userId: string): string {
  const [mail = ''] = mailsNamed(`verify-${userId}.eml`).values();
  return mail.replaceAll('=3D', '=');
}

/** Returns the token in that mail; undefined while there is none. */
export const verificationOf = (userId: string): string | undefined =>
  /verify-email#([\w.-]+)/.exec(verificationMailOf(userId))?.[1];

/** Returns the token of the mail with which an account gets another password; undefined while there is none. */
export function resetTokenOf(userId: string): string | undefined {
  const [mail = ''] = mailsNamed(`reset-${userId}.eml`).values();
  return /reset-password#([\w.-]+)/.exec(mail.replaceAll('=3D', '='))?.[1];
}

/** Returns the token of the mail that invites this address into a shop; undefined while there is none. */
export const shopInvitationOf = (email: string): string | undefined =>
  [...mailsNamed('.eml', 'invitation-').values()]
    .filter((mail) => mail.includes(`To: ${email}`))
    .map((mail) => /invite#([\w-]+)/.exec(mail.replaceAll('=3D', '='))?.[1])
    .find((token) => token !== undefined);

/** Returns the tokens of the mails about changes of an address, to the new one and to the old one, as far as they are there. */
export function emailChangeTokensOf(oldEmail: string, newEmail: string) {
  const find = (page: string, to: string) =>
    [...mailsNamed('.eml', 'email-').values()]
      .filter((mail) => mail.includes(`To: ${to}`))
      .map((mail) => new RegExp(`${page}#([\\w.-]+)`).exec(mail.replaceAll('=3D', '='))?.[1])
      .find((token) => token !== undefined);
  return { confirm: find('confirm-email', newEmail), stop: find('stop-email', oldEmail) };
}

function mailsNamed(end: string, start = ''): Map<string, string> {
  const dir = resolve(root, setting('MAIL_DIR'));
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => name.startsWith(start) && name.endsWith(end));
  } catch {
    // The product has never written a mail.
  }
  return new Map(
    names.map((name) => [name, readFileSync(join(dir, name), 'utf8').replaceAll(/=\r?\n/g, '')]),
  );
}
