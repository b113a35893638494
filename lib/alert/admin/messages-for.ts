import 'server-only';
import { z } from 'zod';
import type { AlertChange } from '@/lib/alert/apply-readings';
import { env } from '@/lib/env';
import type { NewMessage } from '@/lib/outbox/put-message';
import { describeAlert } from './alert-mail';

/** The content of a message about an alert: its state when it began or ended. Times in epoch ms. */
export const noticeSchema = z.object({
  kind: z.enum(['firing', 'resolved']),
  alertId: z.string().regex(/^\d{1,18}$/),
  rule: z.string(),
  subject: z.string(),
  unit: z.string(),
  value: z.string(),
  threshold: z.string(),
  since: z.string().regex(/^\d{1,15}$/),
  at: z.string().regex(/^\d{1,15}$/),
});
export type AlertNotice = z.output<typeof noticeSchema>;

/** Many alerts that began or ended at once, for one mail about all of them. */
export const listSchema = z.object({
  kind: z.literal('several'),
  key: z.string(),
  count: z.string(),
  lines: z.string(),
});
export type AlertList = z.output<typeof listSchema>;

/** More than this at once become one mail: one standstill can raise an alert for every sale. */
const MOST_MAILS = 5;
const MOST_LINES = 50;

/**
 * Makes the messages to `ALERT_EMAIL_TO` and `ALERT_WEBHOOK_URL` about the changes of one round. Each alert gets a
 * mail, or one mail names all if they are many. The webhook is called for each alert.
 */
export function messagesFor(changes: readonly AlertChange[]): NewMessage[] {
  const { alertEmailTo, alertWebhook } = env();
  const notices = changes.map(toNotice);
  const mails = notices.length > MOST_MAILS ? [toList(notices)] : notices;
  return [
    ...mails.flatMap((mail) =>
      alertEmailTo.map((to) => ({ topic: 'alert-mail', payload: { ...mail, to } }) as const),
    ),
    ...(alertWebhook ? notices.map((payload) => ({ topic: 'alert-webhook', payload }) as const) : []),
  ];
}

function toNotice({ kind, alert }: AlertChange): AlertNotice {
  const { id, rule, subject, value, unit, threshold, since, firedAt, resolvedAt } = alert;
  return {
    kind,
    alertId: id,
    rule,
    subject,
    unit,
    value: String(value),
    threshold: String(threshold),
    since: String(since),
    at: String(resolvedAt ?? firedAt ?? since),
  };
}

function toList(notices: readonly AlertNotice[]): AlertList {
  const lines = notices.slice(0, MOST_LINES).map(describeAlert);
  const more = notices.length - lines.length;
  return {
    kind: 'several',
    // If the round is the same, so are the alerts.
    key: `${notices[0]?.alertId}-${notices.at(-1)?.alertId}-${notices[0]?.at}`,
    count: String(notices.length),
    lines: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  };
}
