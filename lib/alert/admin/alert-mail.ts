import { env } from '@/lib/env';
import { cutText } from '@/lib/human-text';
import type { MailParts } from '@/lib/notify/types';
import type { AlertList, AlertNotice } from './messages-for';

const KINDS = { firing: 'Alert', resolved: 'Resolved' } as const;

const what = ({ rule, subject }: AlertNotice): string => (subject === '' ? rule : `${rule} (${subject})`);

/** The mails are in English, as the logs are: they go to the people who run the shop. */
const inEnglish = (subject: string, paragraphs: readonly string[]): MailParts => ({
  locale: 'en',
  subject,
  paragraphs,
  link: { url: new URL('/admin/alerts', env().publicUrl).href, label: 'See the alerts' },
});

/** Describes an alert in one line. */
export const describeAlert = (notice: AlertNotice): string =>
  `${KINDS[notice.kind]}: ${what(notice)} is ${notice.value} ${notice.unit}; the threshold is ${notice.threshold}.`;

/** Makes the mail about an alert's beginning or end. */
export function alertMail(notice: AlertNotice & { to: string }) {
  const { kind, alertId, value, unit, threshold, since, at, to } = notice;
  const time = (ms: string) => new Date(Number(ms)).toISOString();
  return {
    // Each receiver has a key of their own; otherwise the second one's file would replace the first one's.
    key: `alert-${alertId}-${kind}-${to}`,
    email: to,
    ...inEnglish(cutText(`[Seckill] ${KINDS[kind]}: ${what(notice)}`, 200), [
      `${what(notice)} is ${value} ${unit}; the threshold is ${threshold}.`,
      `Since ${time(since)}; ${kind} at ${time(at)}.`,
    ]),
  };
}

/** Makes one mail about many alerts. */
export const alertListMail = ({ key, count, lines, to }: AlertList & { to: string }) => ({
  key: `alerts-${key}-${to}`,
  email: to,
  ...inEnglish(`[Seckill] ${count} alerts at once`, [lines]),
});
