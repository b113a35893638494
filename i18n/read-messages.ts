import 'server-only';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type messages from '@/messages/en.json';
import type { Locale } from './routing';

type Messages = typeof messages;

const known = new Map<Locale, Messages>();

/** Returns what people read, in a language, for what is written without next-intl: mails, and pages of our server. */
export function readMessages(locale: Locale): Messages {
  const kept = known.get(locale);
  if (kept) return kept;
  // Read by path at run time, as Redis scripts are: a new language is nothing here.
  const read: Messages = JSON.parse(readFileSync(join(process.cwd(), 'messages', `${locale}.json`), 'utf8'));
  known.set(locale, read);
  return read;
}
