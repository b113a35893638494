import 'server-only';
import { Webhook } from 'standardwebhooks';
import { limitMs } from '@/lib/time-limits';
import { MessageRefused } from './message-refused';

/** After these statuses the receiver may still take the message later; after any other 4xx it never will. */
const LATER = new Set([401, 403, 404, 408, 425, 429]);

/**
 * Posts JSON with a Standard Webhooks signature.
 * @param id its `webhook-id`: a repeated post carries the same
 * @param what the receiver takes, for error messages: `alerts`
 * @throws MessageRefused if the receiver will never take it; anything else means "not now".
 */
export async function postWebhook(
  { url, secret }: { url: string; secret: string },
  id: string,
  body: string,
  what: string,
): Promise<void> {
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
    signal: AbortSignal.timeout(limitMs('webhook')),
  });
  await response.body?.cancel();
  if (response.ok) return;
  const { status } = response;
  if (status >= 400 && status < 500 && !LATER.has(status))
    throw new MessageRefused(`the receiver of ${what} answered ${status}`);
  throw new Error(`the receiver of ${what} answered ${status}`);
}
