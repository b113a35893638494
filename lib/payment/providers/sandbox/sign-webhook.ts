import 'server-only';
import { Webhook } from 'standardwebhooks';
import { env } from '@/lib/env';

/** Returns the headers of a signed callback (Standard Webhooks 1.0). */
export function signWebhook(
  webhookId: string,
  body: string,
  sentAt: Date = new Date(),
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(env().sandboxWebhookSecret).sign(webhookId, sentAt, body),
  };
}
