import { Webhook } from 'standardwebhooks';
import { setting } from './commands';

/** Returns the headers of a callback signed as the sandbox signs it. */
export function signCallback(
  body: string,
  id: string,
  sentAt = new Date(),
  secret = setting('SANDBOX_WEBHOOK_SECRET'),
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
}
