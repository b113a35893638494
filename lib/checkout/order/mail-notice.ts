import 'server-only';
import { readPreferences } from '@/lib/account/preferences';
import { stopLinks } from '@/lib/account/stop-mails-link';
import { mailTopicOf } from '@/lib/contract/words/mail-topic';
import { sendMail } from '@/lib/notify/send-mail';
import type { Notice, SaleNotice } from '@/lib/notify/types';

/**
 * Sends a notice by mail as its reader wants it: not at all if they have muted such mails, else with times in their time
 * zone, and with a way to mute those that can be. @throws what `sendMail` throws, and connection errors
 */
export async function mailNotice(notice: Notice | SaleNotice): Promise<void> {
  const { kind, userId, locale } = notice;
  const preferences = await readPreferences(userId);
  const topic = mailTopicOf(kind);
  if (topic && preferences?.mutedMails.includes(topic)) return;
  const stop = topic && stopLinks(userId, topic, locale);
  await sendMail(notice, { timeZone: preferences?.timeZone, stop });
}
