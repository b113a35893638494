import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setting } from './commands';

const root = resolve(import.meta.dirname, '../..');

/** Returns the mails the running product has written about an order, by name; without their line breaks. */
export const mailsOf = (orderNo: string): Map<string, string> => mailsNamed(`-${orderNo}.eml`);

/** Returns the mail with which an account verifies its address; empty while there is none. */
export function verificationMailOf(userId: string): string {
  const [mail = ''] = mailsNamed(`verify-${userId}.eml`).values();
  return mail.replaceAll('=3D', '=');
}

/** Returns the token in that mail; undefined while there is none. */
export const verificationOf = (userId: string): string | undefined =>
  /verify-email#([\w.-]+)/.exec(verificationMailOf(userId))?.[1];

function mailsNamed(end: string): Map<string, string> {
  const dir = resolve(root, setting('MAIL_DIR'));
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(end));
  } catch {
    // The product has never written a mail.
  }
  return new Map(
    names.map((name) => [name, readFileSync(join(dir, name), 'utf8').replaceAll(/=\r?\n/g, '')]),
  );
}
