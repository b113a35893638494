import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setting } from './commands';

const root = resolve(import.meta.dirname, '../..');

/** The mails the running product has written about an order, by name; without their line breaks. */
export const mailsOf = (orderNo: string): Map<string, string> => mailsNamed(`-${orderNo}.eml`);

/** The token in the mail by which an account verifies its address; undefined while there is none. */
export function verificationOf(userId: string): string | undefined {
  const [mail] = mailsNamed(`verify-${userId}.eml`).values();
  return mail && /verify-email#([\w.-]+)/.exec(mail.replaceAll('=3D', '='))?.[1];
}

function mailsNamed(end: string): Map<string, string> {
  const dir = resolve(root, setting('MAIL_DIR'));
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(end));
  } catch {
    // No mail was ever written.
  }
  return new Map(
    names.map((name) => [name, readFileSync(join(dir, name), 'utf8').replaceAll(/=\r?\n/g, '')]),
  );
}
