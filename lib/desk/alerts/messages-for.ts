import 'server-only';
import type { AlertChange } from '@/lib/alert/apply-readings';
import { env } from '@/lib/env';
import type { NewMessage } from '@/lib/outbox/put-message';

/** What is told of an alert: as it was when it began or ended. Times in epoch ms. */
export type AlertNotice = {
  kind: 'firing' | 'resolved';
  alertId: string;
  rule: string;
  subject: string;
  value: string;
  unit: string;
  threshold: string;
  since: string;
  at: string;
};

/** One message for each who is to be told: `ALERT_EMAIL_TO` and `ALERT_WEBHOOK_URL`. */
export function messagesFor({ kind, alert }: AlertChange): NewMessage[] {
  const { alertEmailTo, alertWebhook } = env();
  const { id, rule, subject, value, unit, threshold, since, firedAt, resolvedAt } = alert;
  const notice: AlertNotice = {
    ...{ kind, alertId: id, rule, subject, unit },
    ...{ value: String(value), threshold: String(threshold), since: String(since) },
    at: String(resolvedAt ?? firedAt ?? since),
  };
  return [
    ...alertEmailTo.map((to): NewMessage => ({ topic: 'alert-mail', payload: { ...notice, to } })),
    ...(alertWebhook ? [{ topic: 'alert-webhook', payload: notice } as const] : []),
  ];
}
