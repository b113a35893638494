import 'server-only';
import { Webhook } from 'standardwebhooks';
import { MessageRefused } from '@/lib/outbox/message-refused';
import type { AlertNotice } from './messages-for';

const TIMEOUT_MS = 10_000;
/** After these statuses the receiver may still take the message later; after any other 4xx it never will. */
const LATER = new Set([401, 403, 404, 408, 425, 429]);

/**
 * Posts an alert with a Standard Webhooks signature. A repeated post carries the same `webhook-id`.
 * @throws MessageRefused if the receiver will never take it; anything else means "not now".
 */
export async function postAlert(
  { url, secret }: { url: string; secret: string },
  notice: AlertNotice,
): Promise<void> {
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
  const id = `alert_${alertId}_${kind}`;
  const sentAt = new Date();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  if (status >= 400 && status < 500 && !LATER.has(status))
    throw new MessageRefused(`the receiver of alerts answered ${status}`);
  throw new Error(`the receiver of alerts answered ${status}`);
}
