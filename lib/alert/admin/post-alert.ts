import 'server-only';
import { postWebhook } from '@/lib/outbox/post-webhook';
import type { AlertNotice } from './messages-for';

/**
 * Posts an alert with a Standard Webhooks signature. A repeated post carries the same `webhook-id`.
 * @throws MessageRefused if the receiver will never take it; anything else means "not now".
 */
export async function postAlert(target: { url: string; secret: string }, notice: AlertNotice): Promise<void> {
  const { kind, alertId, rule, subject, value, unit, threshold, since, at } = notice;
  const body = JSON.stringify({
    type: `alert.${kind}`,
    timestamp: new Date(Number(at)).toISOString(),
    data: {
      alertId,
      rule,
      subject,
      unit,
      value: Number(value),
      threshold: Number(threshold),
      since: Number(since),
    },
  });
  await postWebhook(target, `alert_${alertId}_${kind}`, body, 'alerts');
}
