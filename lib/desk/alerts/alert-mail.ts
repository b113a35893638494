import { env } from '@/lib/env';
import type { AlertNotice } from './messages-for';

const KINDS = { firing: 'Alert', resolved: 'Resolved' } as const;

/** The mail about an alert's beginning or end. In English: it goes to whoever runs the shop, as the logs do. */
export function alertMail(notice: AlertNotice & { to: string }) {
  const { kind, alertId, rule, subject, value, unit, threshold, since, at, to } = notice;
  const what = subject === '' ? rule : `${rule} (${subject})`;
  const time = (ms: string) => new Date(Number(ms)).toISOString();
  return {
    // Each receiver's own, or the second one's file would replace the first one's.
    key: `alert-${alertId}-${kind}-${to}`,
    email: to,
    subject: `[Seckill] ${KINDS[kind]}: ${what}`.slice(0, 200),
    text: [
      `${what} is ${value} ${unit}; the threshold is ${threshold}.`,
      `Since ${time(since)}; ${kind} at ${time(at)}.`,
      '',
      new URL('/admin/alerts', env().publicUrl).href,
      '',
    ].join('\n'),
  };
}
