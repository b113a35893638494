import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import type { Locale } from '@/i18n/routing';
import type { AccountMail } from '@/lib/contract/words/mail';
import { isolated } from '@/lib/human-text';
import { fill } from './fill';
import type { MailParts } from './types';

/**
 * Writes a mail about an account.
 * @param url where its button leads, if it has one
 * @param values of the `{names}` in its text
 */
export function sayAccountMail(
  kind: AccountMail,
  locale: Locale,
  url?: string,
  values: Record<string, string> = {},
): MailParts {
  const words: { subject: string; text: string; button?: string; ifNotYou?: string } =
    readMessages(locale).Mail[kind];
  const contained = Object.entries(values).map(([name, value]) => [name, isolated(value)]);
  return {
    locale,
    subject: words.subject,
    paragraphs: [fill(words.text, Object.fromEntries(contained))],
    link: url === undefined ? undefined : { url, label: words.button ?? url },
    note: words.ifNotYou,
  };
}
