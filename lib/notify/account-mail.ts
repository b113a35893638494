import 'server-only';
import type { Locale } from '@/i18n/routing';
import { mailWords } from './mail-words';

/**
 * Writes subject and text of a mail about an account.
 * @param url where its text leads, if anywhere
 */
export function sayAccountMail(
  kind: 'verification' | 'passwordReset' | 'passwordChanged',
  locale: Locale,
  url?: string,
): { subject: string; text: string } {
  const words: { subject: string; text: string; ifNotYou?: string } = mailWords(locale)[kind];
  const parts = [words.text, url, words.ifNotYou].filter((part) => part !== undefined);
  return { subject: words.subject, text: `${parts.join('\n\n')}\n` };
}
