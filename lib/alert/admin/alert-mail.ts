import { env } from '@/lib/env';
import { cutText } from '@/lib/human-text';
import type { AlertList, AlertNotice } from './messages-for';

const KINDS = { firing: 'Alert', resolved: 'Resolved' } as const;

const what = ({ rule, subject }: AlertNotice): string => (subject === '' ? rule : `${rule} (${subject})`);
const page = () => new URL('/admin/alerts', env().publicUrl).href;

/** Describes an alert in one line. */
export const describeAlert = (notice: AlertNotice): string =>
  `${KINDS[notice.kind]}: ${what(notice)} is ${notice.value} ${notice.unit}; the threshold is ${notice.threshold}.`;

/**
 * Makes the mail about an alert's beginning or end. It is in English, as the logs are: it goes to the people who run
 * the shop.
 */
export function alertMail(notice: AlertNotice & { to: string }) {
  const { kind, alertId, value, unit, threshold, since, at, to } = notice;
  const time = (ms: string) => new Date(Number(ms)).toISOString();
  return {
    // Each receiver has a key of their own; otherwise the second one's file would replace the first one's.
    key: `alert-${alertId}-${kind}-${to}`,
    email: to,
    subject: cutText(`[Seckill] ${KINDS[kind]}: ${what(notice)}`, 200),
    text: [
      `${what(notice)} is ${value} ${unit}; the threshold is ${threshold}.`,
      `Since ${time(since)}; ${kind} at ${time(at)}.`,
      '',
      page(),
      '',
    ].join('\n'),
  };
}

/** Makes one mail about many alerts. */
export const alertListMail = ({ key, count, lines, to }: AlertList & { to: string }) => ({
  key: `alerts-${key}-${to}`,
  email: to,
  subject: `[Seckill] ${count} alerts at once`,
  text: [lines, '', page(), ''].join('\n'),
});
