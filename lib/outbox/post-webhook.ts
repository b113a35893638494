import 'server-only';
import { Webhook } from 'standardwebhooks';
import { MessageRefused } from './message-refused';

const TIMEOUT_MS = 10_000;
/** After these statuses the receiver may still take the message later; after any other 4xx it never will. */
const LATER = new Set([401, 403, 404, 408, 425, 429]);

/** Posts and returns the status of the answer. Follows no redirect and reads no body. @throws if there is no answer */
export type Send = (
  url: string,
  headers: Record<string, string>,
  body: string | Buffer<ArrayBuffer>,
) => Promise<number>;

/**
 * Posts JSON with a Standard Webhooks signature.
 * @param id its `webhook-id`: a repeated post carries the same
 * @param what the receiver takes, for error messages: `alerts`
 * @param send how to post to an address that is not the operator's own choice
 * @throws MessageRefused if the receiver will never take it; anything else means "not now".
 */
export async function postWebhook(
  { url, secret }: { url: string; secret: string },
  id: string,
  body: string,
  what: string,
  send: Send = sendAnywhere,
): Promise<void> {
  const sentAt = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
  const status = await send(url, headers, body);
  if (status >= 200 && status < 300) return;
  if (status >= 400 && status < 500 && !LATER.has(status))
    throw new MessageRefused(`the receiver of ${what} answered ${status}`);
  throw new Error(`the receiver of ${what} answered ${status}`);
}

async function sendAnywhere(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer<ArrayBuffer>,
): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return response.status;
}
