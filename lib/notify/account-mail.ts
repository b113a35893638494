import 'server-only';
import { readMessages } from '@/i18n/read-messages';
import type { Locale } from '@/i18n/routing';
import { fill } from './fill';

/** A change of what an account is signed in to by, its end, or an attack on it. */
export type OwnerMail =
  | 'passwordChanged'
  | 'factorAdded'
  | 'factorRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'appRemoved'
  | 'identityJoined'
  | 'identityRemoved'
  | 'recoveryCodesRenewed'
  | 'recoveryCodeUsed'
  | 'codesGuessed'
  | 'accountDeleted';

type AccountMail =
  | OwnerMail
  | 'verification'
  | 'passwordReset'
  | 'emailConfirm'
  | 'emailInUse'
  | 'emailAsked'
  | 'emailChanged'
  | 'shopInvitation'
  | 'setupTrial';

/**
 * Writes subject and text of a mail about an account.
 * @param url where its text leads, if anywhere
 * @param values of the `{names}` in its text
 */
export function sayAccountMail(
  kind: AccountMail,
  locale: Locale,
  url?: string,
  values: Record<string, string> = {},
): { subject: string; text: string } {
  const words: { subject: string; text: string; ifNotYou?: string } = readMessages(locale).Mail[kind];
  const parts = [fill(words.text, values), url, words.ifNotYou].filter((part) => part !== undefined);
  return { subject: words.subject, text: `${parts.join('\n\n')}\n` };
}
