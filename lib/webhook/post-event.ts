import 'server-only';
import { Webhook } from 'standardwebhooks';
import type { DeliveryError } from '@/lib/contract/words/webhook';
import type { Send } from '@/lib/outbox/post-webhook';

/** `status`: of the answer; null: there was none. */
export type Posted = { isTaken: boolean; status: number | null; error: DeliveryError | null };

/**
 * Posts an event with a Standard Webhooks signature for each of the secrets, so that a receiver that knows one of them
 * can verify it.
 * @param id its `webhook-id`. @param secrets newest first
 */
export async function postEvent(
  { url, secrets }: { url: string; secrets: readonly string[] },
  { id, body }: { id: string; body: string },
  send: Send,
): Promise<Posted> {
  const sentAt = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  };
  try {
    const status = await send(url, headers, body);
    const isTaken = status >= 200 && status < 300;
    return { isTaken, status, error: isTaken ? null : 'answer' };
  } catch (error) {
    return { isTaken: false, status: null, error: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

/** Merchants learn no more than this: what a name leads to, and why it was not asked, would show them our network. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
