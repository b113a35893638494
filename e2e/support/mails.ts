import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setting } from './commands';

const root = resolve(import.meta.dirname, '../..');

/** The mails the running product has written about an order, by name; without their line breaks. */
export function mailsOf(orderNo: string): Map<string, string> {
  const dir = resolve(root, setting('MAIL_DIR'));
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(`-${orderNo}.eml`));
  } catch {
    // No mail was ever written.
  }
  return new Map(
    names.map((name) => [name, readFileSync(join(dir, name), 'utf8').replaceAll(/=\r?\n/g, '')]),
  );
}
