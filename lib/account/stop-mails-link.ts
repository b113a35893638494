import type { Locale } from '@/i18n/routing';
import { isMailTopic, type MailTopic } from '@/lib/contract/words/mail';
import { env } from '@/lib/env';
import { isLinkSigned, signLink } from './link-signature';
import { secretLink } from './secret-link';

const FORMAT = /^([A-Za-z0-9_-]{1,64})\.([a-z]{1,20})\.([\w-]{43})$/;

/**
 * Makes the links of a mail that mute its topic for its reader, who need not sign in. They never expire: an old mail's must
 * work, and all that they can do is to mute.
 * @returns `page` for people, `oneClick` for mail programs
 */
export function stopMailsLinks(
  userId: string,
  topic: MailTopic,
  locale: Locale,
): { page: string; oneClick: string } {
  const token = `${userId}.${topic}.${signLink('stop mails', textOf(userId, topic))}`;
  const oneClick = new URL('/api/email/stop-mails', env().publicUrl);
  oneClick.search = new URLSearchParams({ token, language: locale }).toString();
  return { page: secretLink('/stop-mails', token, locale), oneClick: oneClick.href };
}

/** Reads whose mails of which topic a link stops; null if it is not ours. */
export function readStopMails(token: string): { userId: string; topic: MailTopic } | null {
  const [, userId, topic, signature] = FORMAT.exec(token) ?? [];
  if (!userId || !topic || !signature || !isMailTopic(topic)) return null;
  return isLinkSigned('stop mails', textOf(userId, topic), signature) ? { userId, topic } : null;
}

const textOf = (userId: string, topic: MailTopic): string => `${userId} ${topic}`;
