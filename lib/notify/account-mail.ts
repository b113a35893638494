import 'server-only';
import type { Locale } from '@/i18n/routing';
import type { AccountMail } from '@/lib/contract/words/mail';
import { fill, fillSubject, mailWords } from './mail-words';
import type { MailText } from './types';

/**
 * Puts a mail about an account into words.
 * @param values of the `{names}` in its text
 * @param url what its button opens; mails without a button leave it out
 */
export function sayAccountMail(
  kind: AccountMail,
  locale: Locale,
  { values = {}, url }: { values?: Record<string, string>; url?: string } = {},
): MailText {
  const words: { subject: string; text: string; button?: string; ifNotYou?: string } =
    mailWords(locale)[kind];
  return {
    locale,
    subject: fillSubject(words.subject, values),
    text: fill(words.text, values),
    link: url === undefined ? undefined : { url, label: words.button ?? url },
    note: words.ifNotYou,
  };
}
