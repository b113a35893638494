import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setting } from './commands';

const root = resolve(import.meta.dirname, '../..');

/** Returns the mails the running product has written about an order, by name; without their line breaks. */
export const mailsOf = (orderNo: string): Map<string, string> =>
  mailsNamed((name) => name.endsWith(`-${orderNo}.eml`));

/** Returns the mails about an order that staff sent again. */
export const mailsAgainOf = (orderNo: string): string[] => [
  ...mailsNamed((name) => name.includes(`-${orderNo}-again-`)).values(),
];

/** Returns the mail with which an account verifies its address; empty while there is none. */
export const verificationMailOf = (userId: string): string => latestMail(`verify-${userId}-`);

/** Returns the token in that mail; undefined while there is none. */
export const verificationOf = (userId: string): string | undefined =>
  /verify-email#([\w.-]+)/.exec(verificationMailOf(userId))?.[1];

/** Returns the token of the latest mail that replaces a forgotten password; undefined while there is none. */
export const resetTokenOf = (userId: string): string | undefined =>
  /reset-password#([\w.-]+)/.exec(latestMail(`reset-${userId}-`))?.[1];

/** Returns the token of the mail that invites this address into a shop; undefined while there is none. */
export const shopInvitationOf = (email: string): string | undefined =>
  [...mailsNamed((name) => name.startsWith('invitation-')).values()]
    .filter((mail) => mail.includes(`To: ${email}`))
    .map((mail) => /invite#([\w-]+)/.exec(mail.replaceAll('=3D', '='))?.[1])
    .find((token) => token !== undefined);

/**
 * Returns the token of the mail about a change of address that went to one of its two addresses; undefined while there is
 * none.
 */
export function emailChangeTokenOf(link: 'confirm' | 'stop', to: string): string | undefined {
  const start = link === 'confirm' ? 'email-confirm-' : 'email-asked-';
  const mail = [...mailsNamed((name) => name.startsWith(start)).values()].find((text) =>
    // A long header goes on in the next line, after a space.
    text.replaceAll(/\r?\n[ \t]+/g, ' ').includes(`To: ${to}`),
  );
  return new RegExp(`${link}-email#([\\w.-]+)`).exec(mail?.replaceAll('=3D', '=') ?? '')?.[1];
}

/** Returns the mail that tells an account's owner of a new password; empty while there is none. */
export const passwordMailOf = (userId: string): string => latestMail(`passwordChanged-${userId}-`);

/** The names end with the time. */
function latestMail(start: string): string {
  const mails = mailsNamed((name) => name.startsWith(start));
  return (mails.get([...mails.keys()].sort().at(-1) ?? '') ?? '').replaceAll('=3D', '=');
}

function mailsNamed(isWanted: (name: string) => boolean): Map<string, string> {
  const dir = resolve(root, setting('MAIL_DIR'));
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith('.eml') && isWanted(name));
  } catch {
    // The product has never written a mail.
  }
  return new Map(
    names.map((name) => [name, readFileSync(join(dir, name), 'utf8').replaceAll(/=\r?\n/g, '')]),
  );
}
