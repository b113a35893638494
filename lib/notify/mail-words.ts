import 'server-only';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@/i18n/routing';
import type messages from '@/messages/en.json';

type MailWords = (typeof messages)['Mail'] & { shopName: string };

const loaded = new Map<Locale, MailWords>();

/** Returns the words of the shop's mails in a language. */
export function mailWords(locale: Locale): MailWords {
  const known = loaded.get(locale);
  if (known) return known;
  // Read by path at run time, as Redis scripts are: a new language needs one file and nothing else.
  const text = readFileSync(join(process.cwd(), 'messages', `${locale}.json`), 'utf8');
  const { Mail, Meta } = JSON.parse(text) as typeof messages;
  const words = { ...Mail, shopName: Meta.name };
  loaded.set(locale, words);
  return words;
}

/** Fills in the `{names}` of a text. A name without a value stays as it is. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

const MAX_SUBJECT_LENGTH = 200;

/** Fills in the names of a subject. A title may hold line breaks; a subject is one line. */
export const fillSubject = (text: string, values: Record<string, string>): string =>
  fill(text, values).replace(/\s+/g, ' ').slice(0, MAX_SUBJECT_LENGTH);
